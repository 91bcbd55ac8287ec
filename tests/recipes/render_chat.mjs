// Renders the chat of the recipe in React, before, while and after an agent answers: `render_chat.mjs URL CLIENT`, where the package
// CLIENT stands for @ag-ui/client. Prints what was rendered as JSON.
import { register } from 'node:module';
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';

const [url, client] = process.argv.slice(2);
// JSX becomes JavaScript when it is loaded.
const compiler = new URL('../../node/node_modules/typescript-5/lib/typescript.js', import.meta.url).href;
register(`data:text/javascript,${encodeURIComponent(`
  import { readFile } from 'node:fs/promises'
  import { fileURLToPath } from 'node:url'
  import typescript from ${JSON.stringify(compiler)}
  const { transpileModule, JsxEmit, ModuleKind, ScriptTarget } = typescript
  const compilerOptions = { jsx: JsxEmit.ReactJSX, module: ModuleKind.ESNext, target: ScriptTarget.ES2022 }
  export const resolve = (name, context, next) => next(name === '@ag-ui/client' ? ${JSON.stringify(client)} : name, context)
  export async function load(url, context, next) {
    if (!url.endsWith('.jsx')) return next(url, context)
    const { outputText } = transpileModule(await readFile(fileURLToPath(url), 'utf8'), { compilerOptions })
    return { format: 'module', shortCircuit: true, source: outputText }
  }
`)}`);
const { Chat } = await import('../../examples/recipes/chat.jsx');
const { chatStore } = await import('../../examples/recipes/chat_store.mjs');

const chat = chatStore({ url });
const shown = () => renderToString(createElement(Chat, { chat }));
const seen = [shown()];
const unsubscribe = chat.subscribe(() => seen.push(shown()));
await chat.send('Hello?');
unsubscribe();
console.log(JSON.stringify(seen));
