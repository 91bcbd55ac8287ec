// Asks an agent over HTTP/2, and prints the pieces of the answer as JSON: `http2_client.mjs ORIGIN BODY`.
import { connect } from 'node:http2';

const [origin, body] = process.argv.slice(2);
const session = connect(origin, { rejectUnauthorized: false });
const stream = session.request({ ':method': 'POST', ':path': '/agent', 'content-type': 'application/json' });
stream.end(body);
const pieces = [];
for await (const piece of stream.setEncoding('utf8')) pieces.push(piece);
console.log(JSON.stringify(pieces));
session.close();
