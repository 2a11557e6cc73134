import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { SERVER } from '../../../contracts/constants/callers.js';
import { LIMITS, WORKFLOW_LIMITS } from '../../../contracts/constants/limits.js';
import type { Intent } from '../../../contracts/intent/intent.js';
import { jsonBytes } from '../../../domain/kernel/json.js';
import { appendEventUpdate } from '../../../workflows/intent/messages.js';
import type { CarriedIntent } from '../../../workflows/intent/entity.js';
import { INTENT_ID, OPENED_AT } from '../../domain/samples.js';
import { lookUntil } from '../../support/looks.js';
import { insist, logOf, snapshotOf, writeStatus, type IntentHandle } from '../support/intents.js';
import { perSuite, World } from '../support/world.js';
import { KIB, PAYLOAD_BYTES, sized, text, times } from '../support/sizes.js';

/** A record takes this more than the question that state has room for: the answer, and when and how it came. */
const RECORD_BYTES = LIMITS.answerBytes + LIMITS.votes * LIMITS.voteBytes + 2 * KIB;

/** An intent of which every part is as large as it may be. */
const LARGEST: Intent = {
  id: INTENT_ID,
  title: text(LIMITS.titleCharacters),
  description: text(LIMITS.textCharacters),
  status: 'suspended_awaiting_input',
  version: Number.MAX_SAFE_INTEGER,
  state: { text: sized(LIMITS.intentStateBytes + RECORD_BYTES) },
  constraints: sized(LIMITS.intentFieldBytes),
  parent_intent_id: INTENT_ID,
  depends_on: times(LIMITS.dependenciesPerIntent, INTENT_ID),
  created_by: text(LIMITS.nameCharacters),
  owner: text(LIMITS.nameCharacters),
  created_at: OPENED_AT,
  updated_at: OPENED_AT,
  abandonment_reason: text(LIMITS.questionCharacters),
  governance_policy: { text: sized(LIMITS.intentFieldBytes) },
  access: sized(LIMITS.accessBytes) as never,
};

const HASH = 'f'.repeat(64);
const KNOWN = {
  intent_id: INTENT_ID,
  version: Number.MAX_SAFE_INTEGER,
  last_sequence: Number.MAX_SAFE_INTEGER,
  status: 'suspended_awaiting_input',
  held: false,
  holds: Number.MAX_SAFE_INTEGER,
} as const;

/** What its workflow keeps beside it, but for rows that the store has not taken yet, and its observers. */
const KEPT: CarriedIntent = {
  leases: sized(LIMITS.leasesBytes) as never,
  last_sequence: Number.MAX_SAFE_INTEGER,
  head_hash: HASH,
  active: {
    suspension_id: INTENT_ID,
    report_sequence: Number.MAX_SAFE_INTEGER,
    agent: text(LIMITS.nameCharacters),
    abandoning: { actor: text(LIMITS.nameCharacters), reason: text(LIMITS.questionCharacters) },
  } as never,
  recorded: sized(WORKFLOW_LIMITS.keptRecordedBytes) as never,
  keyed_events: sized(WORKFLOW_LIMITS.keptNoteBytes) as never,
  request_keys: sized(WORKFLOW_LIMITS.keptRequestKeyBytes) as never,
  unwritten: [],
  observers: { informed: [], owed: [] },
  question: {
    suspension_id: INTENT_ID,
    suspended_at: OPENED_AT,
    expires_at: OPENED_AT,
    attempt: 100,
    resolution: 'responded',
    settled_at: OPENED_AT,
  } as never,
  suspended_since: OPENED_AT,
  asker: text(LIMITS.nameCharacters),
  dependencies: {
    upstream: { known: times(LIMITS.dependenciesPerIntent, KNOWN), waits: false },
    held_upstream: false,
    holds: Number.MAX_SAFE_INTEGER,
    edge_revision: Number.MAX_SAFE_INTEGER,
    wishes: times(LIMITS.dependenciesPerIntent, [INTENT_ID, 'unobserve']) as never,
    holders: times(LIMITS.holdersPerIntent, INTENT_ID),
  },
  governance: sized(WORKFLOW_LIMITS.keptGovernanceBytes) as never,
};

describe('what an intent carries into its next run', () => {
  let world: World;
  perSuite(World, (one) => (world = one));

  it('fits, however large each part of it is', () => {
    assert.ok(jsonBytes([LARGEST, KEPT]) <= WORKFLOW_LIMITS.carriedBytes);
    const { carriedBytes, observerBytes } = WORKFLOW_LIMITS;
    assert.ok(carriedBytes + observerBytes + 16 * KIB <= PAYLOAD_BYTES);
  });

  it('has no more coordinators that hold its phases than fit, and its log says so', async () => {
    const { holdersPerIntent: most } = LIMITS;
    const handle = await world.openIntent();
    const hold = (number: number, held: boolean) => {
      const coordinator_id = `coordinator ${number}`;
      const event = {
        event_type: `coordinator.dependents_${held ? 'held' : 'released'}`,
        actor: 'clock',
        payload: { coordinator_id },
        by: SERVER,
        hold: { coordinator_id, held },
      };
      return insist(() => handle.executeUpdate(appendEventUpdate, { args: [event] }));
    };
    await Promise.all(Array.from({ length: most }, (_, number) => hold(number, true)));
    await hold(0, true);
    const refused = await hold(most, true);
    const accepted = `at most ${most} coordinators at once`;
    assert.equal(refused.event_type, 'coordinator.hold_refused');
    assert.deepEqual(refused.payload, { coordinator_id: `coordinator ${most}`, accepted });
    const inLog = (await logOf(world, handle)).at(-1);
    assert.deepEqual(inLog?.payload, refused.payload);
    await hold(0, false);
    assert.equal((await hold(most, true)).event_type, 'coordinator.dependents_held');
    await writeStatus(handle, 'abandoned');
  });

  it('lets an intent that is as large as may be go on and end', async () => {
    const large = {
      state: { text: sized(LIMITS.intentStateBytes - 100) },
      constraints: { text: sized(LIMITS.intentFieldBytes - 100) },
      governance_policy: { text: sized(LIMITS.intentFieldBytes - 100) },
      description: 'x'.repeat(LIMITS.textCharacters),
    };
    const intent = { ...(await world.newIntent()), ...large };
    const handle = await world.startIntent({ intent, history_limit: 1 });
    const first = (await handle.describe()).runId;
    const latest = world.client.getHandle(handle.workflowId) as unknown as IntentHandle;
    await insist(() => writeStatus(handle, 'blocked'));
    await lookUntil(async () => (await latest.describe()).runId !== first, 'it does not go on');
    assert.deepEqual((await snapshotOf(latest)).intent.state, large.state);
    await insist(() => writeStatus(latest, 'abandoned'));
    await latest.result();
  });
});
