import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import { NOTES } from '../../../api/openapi/notes.js';
import {
  documentOf,
  operationsOf,
  type DocumentedReply,
  type Operation,
} from '../../support/openapi.js';
import { createRig } from '../support/harness.js';

interface Schema {
  readonly allOf?: readonly {
    readonly properties?: Readonly<Record<string, { readonly enum?: readonly string[] }>>;
  }[];
}

/** Every code that a reply may have, from its schema. */
function codesOf({ content }: DocumentedReply): readonly string[] {
  const schema = content?.['application/problem+json']?.schema as Schema | undefined;
  const problem = schema?.allOf?.find(({ properties }) => properties?.['code']);
  return problem?.properties?.['code']?.enum ?? [];
}

describe('operations of the OpenAPI document', () => {
  let operations: readonly Operation[];
  before(async () => {
    operations = operationsOf(await documentOf(createRig().app));
  });

  it('each say more than their summary, and no note is left over', () => {
    const ids = operations.map(({ operationId }) => operationId);
    assert.deepEqual(Object.keys(NOTES).sort(), [...ids].sort());
    for (const { operationId, summary, description } of operations) {
      assert.ok(summary.length >= 10, `${operationId} has no summary`);
      const note = NOTES[operationId] ?? '';
      assert.ok(note.length >= 10 && note.endsWith('.'), `${operationId} has no note`);
      assert.ok(
        description.startsWith(note) && /Needs (?:a session|(?:a|no) key)/.test(description),
      );
    }
  });

  it('each say how they may succeed and, if they need a key, how they may fail', () => {
    for (const { operationId, responses, path: at } of operations) {
      const statuses = Object.keys(responses).map(Number);
      assert.ok(
        statuses.some((status) => status < 400),
        `${operationId} never succeeds`,
      );
      if (at.startsWith('/v1/intents')) assert.ok(statuses.includes(401), operationId);
      const refusals = Object.values(responses).flatMap(codesOf);
      if (statuses.includes(401)) assert.ok(refusals.length > 1);
    }
  });

  it('each explain every code that they may fail with', () => {
    let codes = 0;
    for (const { operationId, responses } of operations) {
      for (const reply of Object.values(responses)) {
        for (const code of codesOf(reply)) {
          const isSaid = reply.description.includes(`\`${code}\`: `);
          assert.ok(isSaid, `${operationId} does not explain ${code}`);
          codes += 1;
        }
      }
    }
    assert.ok(codes > 300, `only ${codes} codes`);
  });
});
