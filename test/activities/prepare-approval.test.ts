import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { ApplicationFailure } from '@temporalio/common';
import { prepareApproval } from '../../activities/prepare-approval.js';
import { serverConfigSchema } from '../../contracts/config.js';
import type { Refusal } from '../../contracts/problem.js';
import { TOKEN } from '../support/secrets.js';

const AT = new Date('2026-11-24T10:00:00.000Z');

function prepare(fields: object, suspension: object = {}) {
  const calls = [{ id: 'call-1', tool: 'wire', arguments: { amount: 500 } }];
  const request = { approval_id: randomUUID(), run_id: 'run-7', agent: 'bot', calls, ...fields };
  return prepareApproval(
    { config: serverConfigSchema.parse({ suspension }), now: () => AT },
    request,
  );
}

describe('preparing an approval of an agent on Temporal', () => {
  it('judges what has no credential in it', async () => {
    const { verdict, asked_at } = await prepare({});
    assert.deepEqual([verdict, asked_at], ['escalate', AT.toISOString()]);
  });

  for (const [field, fields] of [
    ['calls[0].arguments.key', { calls: [{ id: 'c', tool: 'push', arguments: { key: TOKEN } }] }],
    ['prompt', { prompt: `Push with ${TOKEN}?` }],
    ['visible_context.env', { visible_context: { env: TOKEN } }],
    ['context.note', { context: { note: TOKEN } }],
    ['reason', { reason: `It uses ${TOKEN}.` }],
  ] as const) {
    it(`refuses what looks like a credential in ${field}, without repeating it`, async () => {
      const error: unknown = await prepare(fields).catch((reason: unknown) => reason);
      assert.ok(error instanceof ApplicationFailure);
      const [refusal] = error.details as [Refusal];
      assert.deepEqual(
        [error.type, error.nonRetryable, refusal.field],
        ['secret_refused', true, field],
      );
      assert.ok(!JSON.stringify([error.message, refusal]).includes(TOKEN));
    });
  }

  it('searches nothing where the installation says so', async () => {
    const { proposal } = await prepare({ prompt: TOKEN }, { refuse_secrets: false });
    assert.equal(proposal.prompt, TOKEN);
  });
});
