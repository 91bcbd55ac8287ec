// An agent as a function of AWS Lambda, which streams its answer: handler `lambda.handler`, invoke mode RESPONSE_STREAM.

import { pipeline } from 'node:stream/promises'
import { fetchHandler } from 'ag-ui-native/server'

const { awslambda } = /** @type {any} */ (globalThis) // Lambda's runtime for Node defines it

/** @type {import('ag-ui-native/server').AgentFunction} */
async function agent(run) {
  const message = run.textMessage()
  for (const word of ['Hello ', 'from ', 'Lambda.']) await message.write(word)
}

const answer = fetchHandler(agent, { timeLimit: 14 * 60_000 }) // a function may run for 15 minutes

/** @typedef {{ rawPath: string, rawQueryString: string, headers: Record<string, string>, body?: string, isBase64Encoded: boolean, requestContext: { domainName: string, http: { method: string } } }} FunctionUrlEvent */

export const handler = awslambda.streamifyResponse(
  async (/** @type {FunctionUrlEvent} */ event, /** @type {import('node:stream').Writable} */ output) => {
    const { rawPath, rawQueryString, headers, body, isBase64Encoded, requestContext } = event
    const request = new Request(`https://${requestContext.domainName}${rawPath}?${rawQueryString}`, {
      method: requestContext.http.method,
      headers,
      body: body === undefined ? null : Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8'),
    })
    const response = await answer(request)
    /** @type {{ statusCode: number, headers: Record<string, string> }} */
    const head = { statusCode: response.status, headers: {} }
    response.headers.forEach((value, name) => (head.headers[name] = value))
    await pipeline(response.body ?? [], awslambda.HttpResponseStream.from(output, head))
  },
)
