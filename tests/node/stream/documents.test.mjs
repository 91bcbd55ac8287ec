import assert from 'node:assert/strict';
import test from 'node:test';
import { asSet, failure, fixture, issueSet, official, ours } from '../packages.mjs';

const documents = fixture('documents');
const parse = (json) => {
  try {
    return [JSON.parse(json)];
  } catch {
    return undefined;
  }
};

function check(document, profile) {
  const verdict = document[profile] ?? document.strict;
  const warnings = [];
  const decode = () => ours.stream.decodeEvent(document.json, { profile, onWarning: (warning) => warnings.push(warning) });
  if (verdict.errors) {
    const error = failure(decode);
    assert.ok(error instanceof ours.AGUIError, document.name);
    assert.deepEqual(issueSet(error), asSet(verdict.errors), `${document.name} ${profile}`);
    return;
  }
  const event = decode();
  if (verdict.dropped) assert.equal(event, undefined, document.name);
  else assert.equal(JSON.stringify(event), JSON.stringify(JSON.parse(verdict.value)), `${document.name} ${profile}`);
  assert.deepEqual(asSet(warnings), asSet(verdict.warnings ?? []), `${document.name} ${profile}`);
}

for (const profile of ['strict', 'tolerant', 'relay']) {
  test(`events under ${profile}`, () => {
    const events = documents.filter(({ type }) => type === 'Event');
    assert.ok(events.length > 300);
    for (const document of events) check(document, profile);
  });
}

test('schemas accept and reject what the official ones do, and answer the same', () => {
  let accepted = 0;
  let rejected = 0;
  for (const { name, type, json, zod } of documents) {
    const schema = ours.schemas[`${type}Schema`];
    const value = parse(json);
    if (!zod || !schema || !value) continue;
    const result = schema.safeParse(value[0]);
    assert.equal(result.success ? 'accepts' : 'rejects', zod, name);
    if (!result.success) {
      rejected++;
      assert.ok(result.error instanceof ours.AGUIValidationError, name);
      assert.ok(result.error.issues.length > 0 && result.error.issues.every((issue) => issue.aguiCode && issue.code), name);
      continue;
    }
    accepted++;
    const theirs = official.schemas[`${type}Schema`].parse(value[0]);
    if (!json.includes('__proto__')) assert.equal(JSON.stringify(result.data), JSON.stringify(theirs), name);
    assert.notEqual(result.data, value[0]);
  }
  assert.ok(accepted > 500 && rejected > 500, `${accepted} ${rejected}`);
});

test('validate gives the strict verdict', () => {
  for (const document of documents) {
    const value = parse(document.json);
    if (document.type !== 'Event' || !value || typeof value[0]?.type !== 'string') continue;
    // JSON.parse loses duplicate keys, the size of integers and broken surrogates, so documents with these are left out.
    if (JSON.stringify(value[0]).length !== document.json.replace(/\s/g, '').length) continue;
    if (document.strict.errors) {
      const error = failure(() => ours.validate(value[0]));
      assert.deepEqual(issueSet(error), asSet(document.strict.errors), document.name);
    } else {
      ours.validate(value[0]);
    }
  }
});
