import { after, before, describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import type { ChainBreak, IntentEvent } from '../../../contracts/intent/event.js';
import type { JsonObject } from '../../../contracts/kernel/primitives.js';
import { toJsonText } from '../../../store/column-values.js';
import { checkExport } from '../../../store/checked-export.js';
import { exportedLines } from '../../support/exported-lines.js';
import { RealStack, ask, createIntent } from '../../support/real-stack.js';

describe('the log of an intent', () => {
  let stack: RealStack;
  before(async () => {
    stack = await RealStack.start();
  });
  after(() => stack.close());

  /** An intent whose log has a creation, five notes, a question and its answer. */
  async function lived(): Promise<string> {
    const intent = await createIntent(stack);
    for (let index = 0; index < 5; index += 1) {
      const payload = { index, odd: '\ufdd0 😀 1e400 \u2028', amounts: [0.1, 1e21, -0] };
      const note = { event_type: 'note', payload };
      assert.equal((await stack.post(`${intent}/events`, 'agent', note)).status, 201);
    }
    const { id } = await ask(stack, intent);
    const answer = { suspension_id: id, value: 'approve' };
    const answered = await stack.post(`${intent}/suspend/respond`, 'operator', answer);
    assert.equal(answered.status, 200);
    // It is answered once the store holds the log.
    assert.deepEqual((await verify(intent)).breaks, []);
    return intent;
  }

  async function verify(intent: string) {
    const reply = await stack.get(`${intent}/events/verify`);
    assert.equal(reply.status, 200, JSON.stringify(reply.body));
    assert.equal(reply.headers['holdpoint-stale'], undefined);
    const breaks = (reply.body.breaks as ChainBreak[]).map((one) => `${one.kind} ${one.sequence}`);
    return { report: reply.body, breaks };
  }

  const exported = (intent: string) => exportedLines(stack, `${intent}/events/export`);

  const eventsIn = (intent: string) => ({ id: intent.replace('/v1/intents/', '') });

  it('is proven whole, and so is its export [R25-03]', async () => {
    const intent = await lived();
    const { report } = await verify(intent);
    const log = await stack.get(`${intent}/events`);
    const events = log.body.events as IntentEvent[];
    assert.deepEqual(report, {
      intent_id: eventsIn(intent).id,
      event_count: 8,
      first_sequence: 1,
      last_sequence: 8,
      head_hash: events[0]?.event_hash,
      chain_valid: true,
      breaks: [],
      erased_count: 0,
      erased: [],
      head_from: 'workflow',
    });
    const lines = await exported(intent);
    assert.deepEqual(
      lines.slice(0, -1).map((line) => JSON.parse(line) as IntentEvent),
      events.toReversed(),
    );
    const check = await checkExport(Readable.from(lines));
    assert.deepEqual(check.breaks, []);
  });

  it('keeps where an event of a client comes from, hashed with all else', async () => {
    const intent = await createIntent(stack);
    const note = { event_type: 'note', payload: {} };
    const tracing = { trace_id: 'trace-1', parent_event_id: 'event é-0' };
    const ours = await stack.post(`${intent}/events`, 'agent', { ...note, ...tracing });
    const sdks = await stack.post(`/api${intent}/events`, 'agent', { ...note, ...tracing });
    const plain = await stack.post(`/api${intent}/events`, 'agent', { ...note, trace_id: null });
    assert.deepEqual([ours.status, sdks.status, plain.status], [201, 200, 200]);
    const { breaks } = await verify(intent);
    assert.deepEqual(breaks, []);
    const { events } = (await stack.get(`${intent}/events`)).body as { events: IntentEvent[] };
    const kept = events.map(({ trace_id, parent_event_id }) => [trace_id, parent_event_id]);
    const [trace, parent] = Object.values(tracing);
    assert.deepEqual(kept.slice(0, 3), [
      [undefined, undefined],
      [trace, parent],
      [trace, parent],
    ]);
    assert.ok(!('trace_id' in (events[0] ?? {})), 'a field that was not sent is not there');
    assert.deepEqual(events[2], ours.body);
    assert.deepEqual(
      [sdks.body.trace_id, sdks.body.parent_event_id, plain.body.trace_id],
      [trace, parent, undefined],
    );
    const lines = await exported(intent);
    assert.ok(lines.some((line) => line.includes('"trace_id":"trace-1"')));
    assert.deepEqual((await checkExport(Readable.from(lines))).breaks, []);
    const long = { ...note, trace_id: 'x'.repeat(201) };
    for (const path of [`${intent}/events`, `/api${intent}/events`]) {
      assert.equal((await stack.post(path, 'agent', long)).status, 422);
    }
  });

  it('shows a row that was changed in the store', async () => {
    const intent = await lived();
    const changes = {
      id: '00000000-0000-4000-8000-000000000001',
      payload_commitment: `sha256:${'A'.repeat(43)}`,
      payload_salt: 'A'.repeat(43),
      payload: toJsonText({ index: 99 } satisfies JsonObject),
      actor: 'mallory',
      trace_id: 'another trace',
      parent_event_id: 'another event',
      created_at: '2026-01-01T00:00:00.000Z',
      event_hash: `sha256:${'A'.repeat(43)}`,
    };
    const { db } = stack.store;
    const { id } = eventsIn(intent);
    const original = await db
      .selectFrom('events')
      .selectAll()
      .where('intent_id', '=', id)
      .where('sequence', '=', 4)
      .executeTakeFirstOrThrow();
    const write = async (
      values: Record<string, string | number | boolean | null>,
    ): Promise<void> => {
      await db
        .updateTable('events')
        .set(values)
        .where('intent_id', '=', id)
        .where('sequence', '=', 4)
        .execute();
    };
    for (const [column, value] of Object.entries(changes)) {
      await write({ [column]: value });
      assert.equal((await verify(intent)).breaks[0], 'changed 4', column);
      const check = await checkExport(Readable.from(await exported(intent)));
      assert.equal(check.breaks[0]?.sequence, 4);
      const { payload, bytes: _bytes, feed_position: _place, ...rest } = original;
      await write({ ...rest, payload: toJsonText(payload) });
    }
    assert.deepEqual((await verify(intent)).breaks, []);
  });
});
