// Stands for Lambda's runtime: calls the handler of a module with the event of a function URL, and prints the head and the body of its answer.
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';

let head;
globalThis.awslambda = {
  streamifyResponse: (handler) => handler,
  HttpResponseStream: { from: (output, given) => ((head = given), output) },
};
const { handler } = await import(pathToFileURL(process.argv[2]));
const output = new PassThrough();
const event = {
  rawPath: '/agent',
  rawQueryString: '',
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(JSON.stringify({ threadId: 't', runId: 'r', messages: [] })).toString('base64'),
  isBase64Encoded: true,
  requestContext: { domainName: 'example.lambda-url.eu-central-1.on.aws', http: { method: 'POST' } },
};
const [body] = await Promise.all([text(output), handler(event, output, {})]);
console.log(`${JSON.stringify(head)}\n${body}`);
