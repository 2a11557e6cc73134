import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createRig } from '../support/harness.js';
import { EVENT, INTENT_ID } from '../support/records.js';
import { addRecord, appendEvent } from '../../../api/usecases/event/events.js';
import type { FakeCall } from '../support/fakes.js';
import { fakeParts } from '../support/parts.js';
import { caller } from '../../support/callers.js';

const PATHS = [`/v1/intents/${INTENT_ID}/events`, `/api/v1/intents/${INTENT_ID}/events`] as const;
const FORGED = [
  'plan.checkpoint_approved',
  'approval_resolved',
  'approval_requested',
  'Intent.Resumed',
  'intent_resumed',
  ' intent.resumed ',
  'INTENT.RESUMED',
  'ｉｎｔｅｎｔ．ｒｅｓｕｍｅｄ',
  'escalation_resolved',
  'access_granted',
  'governance.approval_granted',
];
/** What an intent was sent. */
const writtenTo = (calls: readonly FakeCall[]) =>
  calls.filter(({ name }) => name === 'appendEvent').map(({ args }) => args[0]);

describe('a forged event', () => {
  for (const path of PATHS) {
    for (const event_type of FORGED) {
      it(`is refused by POST ${path.slice(0, 7)}…: ${JSON.stringify(event_type)}`, async () => {
        for (const key of ['agent', 'admin', 'both'] as const) {
          const api = createRig();
          const forged = { event_type, actor: 'alice', payload: { approval_id: 'a' } };
          const { actor: _actor, ...strict } = forged;
          const reply = await api
            .send(key, 'post', path)
            .send(path.startsWith('/v1') ? strict : forged);
          assert.deepEqual([reply.status, reply.body.code], [422, 'invalid_request']);
          assert.deepEqual(writtenTo(api.sent), []);
        }
      });
    }
  }
});

describe('an event that a client posts', () => {
  it('says so to its intent, with whoever sent it', async () => {
    const { parts, calls } = fakeParts({ answers: { appendEvent: () => EVENT } });
    const call = { caller: { ...caller('refund-agent'), actor: 'alice' }, parts };
    await appendEvent.run(call, INTENT_ID, 'comment', {}, { trace_id: 't' });
    await addRecord(call, 'recordIntentDecision', INTENT_ID, 'decision_recorded', {});
    const common = { by: caller('refund-agent'), actor: 'alice', payload: {} };
    assert.deepEqual(writtenTo(calls), [
      { ...common, event_type: 'comment', posted: true, trace_id: 't' },
      { ...common, action: 'recordIntentDecision', event_type: 'decision_recorded' },
    ]);
  });
});
