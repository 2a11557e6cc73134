import { after, before, describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import type { JsonObject } from '../../../contracts/kernel/primitives.js';
import { toJsonText } from '../../../store/column-values.js';
import { checkExport } from '../../../store/exported-log.js';
import { lookUntil } from '../../support/looks.js';
import { exportedLines } from '../../support/exported-lines.js';
import { RealStack, createIntent } from '../../support/real-stack.js';

/** Verify and export of portfolios and timelines; those of intents are in event-log.test.ts. */
describe('every log is a chain', () => {
  let stack: RealStack;
  before(async () => {
    stack = await RealStack.start();
  });
  after(() => stack.close());

  const exported = (path: string) => exportedLines(stack, path);

  it('proves the timeline of a question without an intent', async () => {
    const question = { question: 'Refund?', response_type: 'confirm' };
    const asked = await stack.post('/v1/suspensions', 'agent', question);
    assert.equal(asked.status, 201);
    const { id } = asked.body as { id: string };
    const log = `/v1/suspensions/${id}/timeline`;
    const open = await stack.get(`${log}/verify`);
    assert.deepEqual([open.status, open.body.chain_valid], [200, true]);
    assert.equal(open.body.suspension_id, id);
    await stack.delivered(id);
    const answered = await stack.post(`/v1/suspensions/${id}/respond`, 'operator', {
      value: 'yes',
    });
    assert.equal(answered.status, 200, JSON.stringify(answered.body));
    await lookUntil(
      async () => (await stack.get(`${log}/verify`)).body.event_count > 3,
      'no answer in the timeline',
    );
    const lines = await exported(`${log}/export`);
    const report = await checkExport(Readable.from(lines));
    assert.deepEqual([report.breaks, report.intent_id], [[], id]);
    await stack.store.db
      .updateTable('suspension_timeline')
      .set({ detail: toJsonText({ asked_by: 'mallory' }) })
      .where('suspension_id', '=', id)
      .where('sequence', '=', 1)
      .execute();
    const { breaks } = (await stack.get(`${log}/verify`)).body as { breaks: JsonObject[] };
    assert.deepEqual(breaks[0]?.['kind'], 'changed');
  });

  it('proves the log of a portfolio', async () => {
    const intent = await createIntent(stack);
    const intent_id = intent.replace('/v1/intents/', '');
    const made = await stack.post('/v1/portfolios', 'agent', { name: 'Refunds' });
    const { id } = made.body as { id: string };
    const portfolio = `/v1/portfolios/${id}`;
    assert.equal((await stack.post(`${portfolio}/intents`, 'agent', { intent_id })).status, 201);
    const { body } = await stack.get(`${portfolio}/events/verify`);
    assert.deepEqual([body.chain_valid, body.intent_id, body.head_from], [true, id, 'workflow']);
    const lines = await exported(`${portfolio}/events/export`);
    assert.deepEqual((await checkExport(Readable.from(lines))).breaks, []);
    assert.equal((await stack.get(`${portfolio}/events/export`, 'agent')).status, 403);
    await stack.store.db
      .deleteFrom('events')
      .where('intent_id', '=', id)
      .where('sequence', '=', 1)
      .execute();
    const cut = await stack.get(`${portfolio}/events/verify`);
    assert.equal((cut.body.breaks as JsonObject[])[0]?.['kind'], 'missing');
    const none = await stack.get(`/v1/portfolios/${intent_id}/events/verify`);
    assert.deepEqual([none.status, none.body.code], [404, 'portfolio_not_found']);
  });
});
