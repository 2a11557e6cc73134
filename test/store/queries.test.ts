import assert from 'node:assert/strict';
import { listSuspensions } from '../../store/queries/inbox.js';
import { randomUUID } from 'node:crypto';
import type { JournalRow } from '../../contracts/log/journal.js';
import type { DeliveryTry } from '../../contracts/channel/notification.js';
import { DEFAULT_RULE, decisionOf } from '../../domain/suspension/answering/decision.js';
import { writeRows } from '../../store/journal-writer.js';
import { settleSuspension } from '../../store/queries/work/lost-entity.js';
import { deliveryOf, recordDelivery, recordTry } from '../../store/queries/work/deliveries.js';
import { lastSequences, listEvents } from '../../store/queries/event-log.js';
import { findIntent, listIntents } from '../../store/queries/intent.js';
import { findAnswer, findSettled, findSuspension } from '../../store/queries/suspension.js';
import { isSettledHere } from '../../store/queries/work/unsettled.js';
import { useStore } from '../support/store.js';
import {
  ANSWER,
  aRecord,
  anEvent,
  anIntent,
  instant,
  progressRow,
  openedRow,
  SCHEDULE,
  SETTLEMENT,
  settledRow,
  timelineRow,
} from './rows.js';
import { timelineOf } from './timeline.js';

const TWO = { ...DEFAULT_RULE, quorum: 2 };
const VOTES = ['ann', 'ben'].map((name) => ({
  principal: name,
  actor: name,
  value: 'yes',
  question_version: 1,
  counted_at: instant(1),
}));

describe('store queries', () => {
  const store = useStore();
  const write = (...rows: JournalRow[]): Promise<unknown> => writeRows(store.db, rows);

  it('lists intents newest first, by page and status', async () => {
    const intents = [0, 1, 2, 3].map((n) =>
      anIntent({ created_at: instant(n), status: n === 1 ? 'blocked' : 'active' }),
    );
    await write(
      ...intents.map((intent): JournalRow => ({ kind: 'intent', intent, last_sequence: 1 })),
    );
    const [first, second, third, fourth] = intents;
    const all = (await listIntents(store.db, { limit: 10, offset: 0, whole: true })).rows;
    assert.deepEqual(all, [fourth, third, second, first]);
    assert.deepEqual((await listIntents(store.db, { limit: 2, offset: 1, whole: true })).rows, [
      third,
      second,
    ]);
    const blocked = (
      await listIntents(store.db, { limit: 10, offset: 0, whole: true, status: 'blocked' })
    ).rows;
    assert.deepEqual(blocked, [second]);
    const unknown = (
      await listIntents(store.db, { limit: 10, offset: 0, whole: true, status: 'none\0' })
    ).rows;
    assert.deepEqual(unknown, []);
  });

  it('finds an intent as it was written, undefined without one', async () => {
    const intent = anIntent({ abandonment_reason: 'no answer', constraints: [null, { a: [] }] });
    await write({ kind: 'intent', intent, last_sequence: 1 });
    assert.deepEqual(await findIntent(store.db, intent.id), intent);
    assert.equal(await findIntent(store.db, randomUUID()), undefined);
  });

  it('settles in place of a suspension that is gone, whatever that had under way', async () => {
    const record = aRecord();
    await write(openedRow(randomUUID(), record), timelineRow(record.id, 1));
    const settled_at = instant(90);
    const lost = {
      resolution: 'cancelled',
      settled_by: 'system',
      settled_at,
      reason: 'lost',
    } as const;
    await settleSuspension(store.db, record.id, lost);
    await write(settledRow(record.id, 7));
    const found = await findSuspension(store.db, record.id);
    assert.deepEqual(found?.record, { ...record, ...lost });
    const detail = { cancelled_by: 'system', reason: 'lost' };
    assert.deepEqual(found.timeline.slice(1), [
      { sequence: 2, at: settled_at, kind: 'cancelled', detail },
    ]);
  });

  it('has a suspension as settled once its own end is stored', async () => {
    const record = aRecord();
    const opened = openedRow(randomUUID(), record);
    await write(settledRow(record.id, 1));
    assert.equal(await findSettled(store.db, record.id), undefined);
    assert.equal(await isSettledHere(store.db, record.id), false);
    await write(opened);
    const settled = await findSettled(store.db, record.id);
    assert.deepEqual(settled, await findSuspension(store.db, record.id));
    assert.equal(await isSettledHere(store.db, record.id), true);
    const open = aRecord();
    await write(openedRow(randomUUID(), open));
    assert.equal(await findSettled(store.db, open.id), undefined);
    await write(settledRow(open.id, 0));
    assert.equal((await findSuspension(store.db, open.id))?.state, 'settled');
    assert.equal(await findSettled(store.db, open.id), undefined);
    assert.equal(await isSettledHere(store.db, open.id), false);
  });

  it('counts attempts that fell due together with the end', async () => {
    const record = aRecord();
    await write(openedRow(randomUUID(), record), settledRow(record.id, 1));
    await write(...[1, 2, 3].map((sequence) => timelineRow(record.id, sequence)));
    assert.equal((await findSettled(store.db, record.id))?.attempt, 3);
  });

  it('leaves a suspension that is settled as it is', async () => {
    const record = aRecord();
    await write(openedRow(randomUUID(), record), settledRow(record.id, 1));
    const before = await findSuspension(store.db, record.id);
    const lost = {
      resolution: 'cancelled',
      settled_by: 'system',
      settled_at: instant(90),
    } as const;
    await settleSuspension(store.db, record.id, lost);
    assert.deepEqual(await findSuspension(store.db, record.id), before);
  });

  it('lists events newest first, by page and type [R25-17]', async () => {
    const intentId = randomUUID();
    const events = [1, 2, 3, 4].map((sequence) =>
      anEvent({ intent_id: intentId, sequence, event_type: sequence === 2 ? 'note' : 'step' }),
    );
    await write(...events.map((event): JournalRow => ({ kind: 'event', event })));
    await write({ kind: 'event', event: anEvent() });
    const [first, second, third, fourth] = events;
    const page = { limit: 10, offset: 0 };
    assert.deepEqual((await listEvents(store.db, intentId, page)).rows, [
      fourth,
      third,
      second,
      first,
    ]);
    const notes = (await listEvents(store.db, intentId, { ...page, event_type: 'note' })).rows;
    assert.deepEqual(notes, [second]);
    assert.deepEqual((await listEvents(store.db, intentId, { limit: 1, offset: 2 })).rows, [
      second,
    ]);
  });

  it('has come as far as events and intent row are both stored', async () => {
    const intent = anIntent();
    assert.equal((await lastSequences(store.db, [intent.id])).get(intent.id), 0);
    const event = (sequence: number): JournalRow => ({
      kind: 'event',
      event: anEvent({ intent_id: intent.id, sequence }),
    });
    await write(event(1), event(2));
    assert.equal((await lastSequences(store.db, [intent.id])).get(intent.id), 0);
    await write({ kind: 'intent', intent, last_sequence: 2 });
    assert.equal((await lastSequences(store.db, [intent.id])).get(intent.id), 2);
  });

  it('assembles a pending suspension with its timeline', async () => {
    const record = aRecord();
    const intentId = randomUUID();
    await write(timelineRow(record.id, 2), timelineRow(record.id, 1), openedRow(intentId, record));
    const timeline = await timelineOf(store.db, record.id);
    assert.deepEqual(
      timeline.map(({ sequence, at }) => [sequence, at]),
      [
        [1, instant(1)],
        [2, instant(2)],
      ],
    );
    assert.deepEqual(await findSuspension(store.db, record.id), {
      id: record.id,
      intent_id: intentId,
      state: 'pending',
      asked_by: 'billing-agent',
      attempt: 1,
      max_attempts: 3,
      next_attempt_at: instant(60),
      record,
      ...decisionOf(record, 1),
      claim: null,
      comment_count: 0,
      comments: [],
      delegations: [],
      schedule: SCHEDULE,
      timeline,
    });
    assert.equal(await findSuspension(store.db, randomUUID()), undefined);
  });

  it('has no next attempt for a settled suspension', async () => {
    const record = aRecord();
    await write(openedRow(randomUUID(), record), settledRow(record.id, 1));
    const view = await findSuspension(store.db, record.id);
    assert.deepEqual([view?.state, view?.next_attempt_at, view?.timeline], ['settled', null, []]);
  });

  it('finds the answer under its key', async () => {
    const record = aRecord();
    const intent_id = randomUUID();
    await write(openedRow(intent_id, record));
    assert.equal(await findAnswer(store.db, record.id, ANSWER.key), undefined);
    await write(settledRow(record.id, 1));
    const answer = await findAnswer(store.db, record.id, ANSWER.key);
    assert.deepEqual(answer, { intent_id, ...ANSWER, record: { ...record, ...SETTLEMENT } });
  });

  it('has the votes of an open question, and who is eligible', async () => {
    const record = { ...aRecord(), decision_rule: TWO };
    const eligibility = { eligible: { groups: ['board'] }, attempt: 1 };
    await write(openedRow(randomUUID(), record), {
      ...progressRow(record.id, 2, 1),
      votes: VOTES.slice(0, 1),
      eligibility,
    });
    const view = await findSuspension(store.db, record.id);
    const { rule, votes, approvals, required } = view ?? assert.fail();
    assert.deepEqual(rule, { ...TWO, eligible: eligibility.eligible });
    assert.deepEqual([votes, approvals, required], [VOTES.slice(0, 1), 1, 2]);
  });

  it('has the claim of an open question, until it is released or settled', async () => {
    const record = aRecord();
    const intent_id = randomUUID();
    const claim = { holder: 'alice', claimed_at: instant(1), expires_at: instant(2) };
    await write(openedRow(intent_id, record), { ...progressRow(record.id, 1, 1), claim });
    const found = async () => (await findSuspension(store.db, record.id))?.claim;
    assert.deepEqual(await found(), claim);
    const listed = await listSuspensions(store.db, {
      intent_id,
      state: 'pending',
      sort: 'oldest',
      limit: 1,
      after: undefined,
    });
    assert.deepEqual(
      listed.rows.map(({ entry }) => entry.claim),
      [claim],
    );
    await write(progressRow(record.id, 2, 2));
    await write({ ...progressRow(record.id, 1, 1), claim });
    assert.equal(await found(), null);
    await write({ ...progressRow(record.id, 3, 3), claim }, settledRow(record.id, 4));
    assert.equal(await found(), null);
  });

  it('shows a question as it was amended, open and settled', async () => {
    const record = aRecord();
    const intent_id = randomUUID();
    const amended = { question: 'Half?', question_version: 2, amended_at: instant(3) };
    await write(openedRow(intent_id, record), { ...progressRow(record.id, 1, 1), amended });
    const found = async () => (await findSuspension(store.db, record.id))?.record;
    assert.deepEqual(await found(), { ...record, ...amended });
    const query = { intent_id, state: 'pending', sort: 'oldest', limit: 1 } as const;
    const named = await listSuspensions(store.db, { ...query, text: 'half', after: undefined });
    assert.equal(named.rows.length, 1);
    await write(progressRow(record.id, 2, 2));
    assert.equal((await found())?.question, 'Half?');
    const settled = settledRow(record.id, 3);
    await write({ ...settled, settlement: { ...settled.settlement, ...amended } });
    assert.deepEqual(await found(), { ...record, ...SETTLEMENT, ...amended });
  });

  it('keeps the words of an amendment that comes before the opening', async () => {
    const record = aRecord();
    const intent_id = randomUUID();
    const amended = { question: 'Half?', question_version: 2, amended_at: instant(3) };
    await write({ ...progressRow(record.id, 1, 1), amended });
    await write(openedRow(intent_id, record));
    const query = { intent_id, state: 'pending', sort: 'oldest', limit: 1 } as const;
    const { rows } = await listSuspensions(store.db, { ...query, text: 'half', after: undefined });
    assert.deepEqual(
      rows.map(({ entry }) => entry.record.question),
      ['Half?'],
    );
    assert.deepEqual((await findSuspension(store.db, record.id))?.record, {
      ...record,
      ...amended,
    });
  });

  it('finds each vote of a settled question under its key', async () => {
    const record = { ...aRecord(), decision_rule: TWO };
    const answers = VOTES.map(({ principal }) => ({ key: `r:${principal}`, body_hash: principal }));
    const settled = settledRow(record.id, 1);
    const settlement = { ...settled.settlement, votes: VOTES };
    await write(openedRow(randomUUID(), record), { ...settled, settlement, answers });
    for (const [vote, answer] of answers.entries()) {
      const found = await findAnswer(store.db, record.id, answer.key);
      assert.deepEqual([found?.vote, found?.body_hash], [vote, answer.body_hash]);
      assert.deepEqual(found?.record.votes, VOTES);
    }
    assert.equal(await findAnswer(store.db, record.id, 'r:eve'), undefined);
    const view = await findSuspension(store.db, record.id);
    assert.deepEqual([view?.votes, view?.approvals], [VOTES, 2]);
  });

  it('remembers the first delivery under an id', async () => {
    const delivery_id = `${randomUUID()}:1`;
    assert.equal(await deliveryOf(store.db, delivery_id), undefined);
    const delivery = { delivery_id, channel: 'console', reference: null, delivered_at: instant(1) };
    await recordDelivery(store.db, delivery);
    await recordDelivery(store.db, { ...delivery, reference: 'm-2', delivered_at: instant(2) });
    assert.deepEqual(await deliveryOf(store.db, delivery_id), delivery);
  });

  it('remembers every try of a delivery, each once', async () => {
    const delivery_id = `${randomUUID()}:1`;
    const tried = { delivery_id, channel: 'ops\0', status_code: null, duration_ms: 12 };
    const tries: DeliveryTry[] = [
      { ...tried, at: instant(1), try_number: 1, outcome: 'no_reply_in_time' },
      { ...tried, at: instant(2), try_number: 2, outcome: 'response_not_2xx', status_code: 503 },
      { ...tried, at: instant(3), try_number: 1, outcome: 'delivered', status_code: 204 },
    ];
    for (const one of [...tries, ...tries]) await recordTry(store.db, one);
    const rows = await store.db
      .selectFrom('delivery_tries')
      .selectAll()
      .where('delivery_id', '=', delivery_id)
      .orderBy('at')
      .execute();
    assert.deepEqual(
      rows,
      tries.map((one) => ({ ...one, space: 'default' })),
    );
  });
});
