// Both packages, as an application in node/ would get them.
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

export const folder = new URL('../../node/', import.meta.url);
export const require = createRequire(new URL('package.json', folder));

export const ours = {
  ...require('ag-ui-native'),
  schemas: require('ag-ui-native/schemas'),
  encoder: require('ag-ui-native/encoder'),
  proto: require('ag-ui-native/proto'),
  stream: require('ag-ui-native/stream'),
};

export const official = {
  ...require('@ag-ui/core'),
  schemas: require('@ag-ui/core/schemas'),
  encoder: require('@ag-ui/encoder'),
  proto: require('@ag-ui/proto'),
};

/** The addon itself, for functions without a public name. */
export const native = require('./dist/native/native.cjs').native();

/** Reads the fixture of this name, whose file is in one of the folders of tests/fixtures. */
export function fixture(name) {
  const files = ['.', 'adapters', 'client', 'durable', 'server', 'stream', 'types', 'wire'].map((folder) => new URL(`../fixtures/${folder}/${name}.json`, import.meta.url));
  return JSON.parse(readFileSync(files.find((file) => existsSync(file)), 'utf8'));
}

/** The error that `work` throws. */
export function failure(work) {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

/** Codes and places, in an order of their own: issues are compared as sets. */
export const asSet = (issues) => [...new Set(issues.map(({ code, path }) => `${code} ${path}`))].sort();

/** Returns the set of an error's issues. */
export const issueSet = (error) => asSet(error.issues.map(({ aguiCode: code, aguiPath: path }) => ({ code, path })));

export const pointer = (path) =>
  path.map((key) => '/' + String(key).replaceAll('~', '~0').replaceAll('/', '~1')).join('');

/** The chunks of a case in streams.json. */
export const bytesOf = (chunk) => (typeof chunk === 'string' ? Buffer.from(chunk) : Buffer.from(chunk.base64, 'base64'));
