import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createRig } from '../support/harness.js';
import { INTENT_ID } from '../support/records.js';
import { createEventWrites } from '../../../api/gateway/intent/writes.js';
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
const ADDED = { sequence: 7, id: 'an event' };

/** An API whose events go to the gateway's own rule, and from there to an intent that takes everything. */
function rig() {
  const written: unknown[] = [];
  const write = (_id: string, _update: unknown, input: unknown) => {
    written.push(input);
    return Promise.resolve(ADDED as never);
  };
  const events = createEventWrites(write, { touch: () => undefined });
  const api = createRig({ postEvent: (...args) => events.postEvent(...args) });
  return { api, written };
}

describe('a forged event', () => {
  for (const path of PATHS) {
    for (const event_type of FORGED) {
      it(`is refused by POST ${path.slice(0, 7)}…: ${JSON.stringify(event_type)}`, async () => {
        for (const key of ['agent', 'admin', 'both'] as const) {
          const { api, written } = rig();
          const forged = { event_type, actor: 'alice', payload: { approval_id: 'a' } };
          const { actor: _actor, ...strict } = forged;
          const reply = await api
            .send(key, 'post', path)
            .send(path.startsWith('/v1') ? strict : forged);
          assert.deepEqual([reply.status, reply.body.code], [422, 'invalid_request']);
          assert.deepEqual(written, []);
        }
      });
    }
  }
});

describe('an event that a client posts', () => {
  it('says so to its intent, with whoever sent it', async () => {
    const sent: unknown[] = [];
    const write = (_id: string, _update: unknown, input: unknown) => {
      sent.push(input);
      return Promise.resolve(ADDED as never);
    };
    const events = createEventWrites(write, { touch: () => undefined });
    const by = { ...caller('refund-agent'), actor: 'alice' };
    await events.postEvent(by, INTENT_ID, 'comment', {}, { trace_id: 't' });
    await events.appendEvent(by, 'recordIntentDecision', INTENT_ID, 'decision_recorded', {});
    const common = { by: caller('refund-agent'), actor: 'alice', payload: {} };
    assert.deepEqual(sent, [
      { ...common, event_type: 'comment', posted: true, trace_id: 't' },
      { ...common, action: 'recordIntentDecision', event_type: 'decision_recorded' },
    ]);
  });
});
