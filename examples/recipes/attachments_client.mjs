// Sends files with a question. `node attachments_client.mjs "What is this?" photo.png https://example.org/a.pdf`

import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { HttpAgent } from 'ag-ui-native/client'

/** @type {Record<string, string>} */
const kinds = { '.png': 'image/png', '.jpg': 'image/jpeg', '.pdf': 'application/pdf' }

/** Makes a part of a file's bytes, or of an address. @param {string} place @returns {Promise<import('ag-ui-native').ContentPart>} */
async function attachment(place) {
  const mimeType = kinds[extname(place)] ?? 'application/octet-stream'
  const type = mimeType.startsWith('image/') ? 'image' : 'document'
  if (place.startsWith('https://')) return { type, source: { type: 'url', value: place, mimeType } }
  return { type, source: { type: 'data', value: await readFile(place, 'base64'), mimeType } }
}

const agent = new HttpAgent(process.env.URL ?? 'http://127.0.0.1:8000/')
const [text = '', ...places] = process.argv.slice(2)
const reply = await agent.ask([{ type: 'text', text }, ...(await Promise.all(places.map(attachment)))])
console.log(reply.result.error?.message ?? reply.text)
