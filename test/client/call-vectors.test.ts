import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'mocha';
import { callKey, type JsonObject } from '../../client/index.js';
import { outcomeOf, type CallVector } from '../vectors/calls.js';

const FILE = path.resolve(import.meta.dirname, '../vectors/calls.json');

describe('the shared vectors of tool calls', () => {
  const vectors = JSON.parse(readFileSync(FILE, 'utf8')) as readonly CallVector[];

  it('are many, of both outcomes', () => {
    const refused = vectors.filter((one) => one.refused !== undefined).length;
    assert.ok(vectors.length >= 300 && refused >= 50 && vectors.length - refused >= 200);
  });

  it('have the keys and refusals of this client and service', async () => {
    for (const { text, ...expected } of vectors) {
      assert.deepEqual(await outcomeOf(text), expected, text);
    }
  });

  it('are of what is sent: a date is its text, and a number that JSON does not have is refused', async () => {
    const keyOf = (at: unknown) =>
      callKey({ run: 'r', toolCallId: 'c', tool: 't', arguments: { at } as JsonObject });
    assert.equal(await keyOf(new Date(0)), await keyOf('1970-01-01T00:00:00.000Z'));
    assert.notEqual(await keyOf(new Date(0)), await keyOf(new Date(1)));
    await assert.rejects(keyOf(NaN), { name: 'TypeError', message: /NaN/ });
  });
});
