import assert from 'node:assert/strict';
import type { Intent } from '../../../contracts/intent.js';
import { createRig } from './harness.js';
import type { KeyName } from './harness.js';
import { EVENT, INTENT, INTENT_ID } from './records.js';

const SUSPENSION_ID = '5f0c8a52-0f3c-4a55-9d5e-3d2f0a3f9f10';
const PATH = `/v1/intents/${INTENT_ID}`;

/** What a key reads of the suspension's id on each route, where this principal made the intent. */
async function idsSeen(key: KeyName, created_by: string): Promise<string[]> {
  const intent: Intent = { ...INTENT, created_by, state: { _suspension: { id: SUSPENSION_ID } } };
  const event = { ...EVENT, payload: { suspension_id: SUSPENSION_ID } };
  const fresh = <T>(value: T) => Promise.resolve({ value, stale: false });
  const rig = createRig({
    getIntent: () => fresh(intent),
    listIntents: () => fresh([intent]),
    listEvents: () => fresh([event]),
  });
  const read = await rig.send(key, 'get', PATH);
  const list = await rig.send(key, 'get', '/v1/intents');
  const log = await rig.send(key, 'get', `${PATH}/events`);
  const intents = [read.body, ...list.body.intents] as { state: { _suspension: { id: string } } }[];
  const events = log.body.events as { payload: { suspension_id: string } }[];
  return [
    ...intents.map(({ state }) => state._suspension.id),
    ...events.map(({ payload }) => payload.suspension_id),
  ];
}

describe('the id of a suspension', () => {
  const whole = Array<string>(3).fill(SUSPENSION_ID);

  it('is shortened for an agent that did not make the intent [AM-45]', async () => {
    assert.deepEqual(await idsSeen('agent', 'other-agent'), Array<string>(3).fill('5f0c8a52…'));
  });

  it('is whole for the agent that made the intent', async () => {
    assert.deepEqual(await idsSeen('agent', 'refund-agent'), whole);
  });

  for (const key of ['operator', 'admin', 'both'] as const) {
    it(`is whole for a key that may answer: ${key}`, async () => {
      assert.deepEqual(await idsSeen(key, 'other-agent'), whole);
    });
  }
});
