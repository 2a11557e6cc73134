import { after, before, describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import type { ChainBreak, IntentEvent } from '../../../contracts/event.js';
import type { JsonObject } from '../../../contracts/primitives.js';
import { toJsonText } from '../../../store/column-values.js';
import { checkExport } from '../../../store/exported-log.js';
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
      const payload = { index, odd: '\u0000 \ud800 1e400 \u2028', amounts: [0.1, 1e21, -0] };
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

  async function exported(intent: string): Promise<string[]> {
    const reply = await stack
      .get(`${intent}/events/export`, 'operator')
      .buffer(true)
      .parse((body, done) => {
        let text = '';
        body.on('data', (chunk: Buffer) => (text += chunk.toString()));
        body.on('end', () => done(null, text));
      });
    assert.equal(reply.status, 200);
    return (reply.body as string).trimEnd().split('\n');
  }

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

  it('shows a row that was changed in the store', async () => {
    const intent = await lived();
    const changes = {
      payload: toJsonText({ index: 99 } satisfies JsonObject),
      actor: 'mallory',
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
    const write = async (values: Record<string, string>): Promise<void> => {
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
      const { payload, actor, created_at, event_hash } = original;
      await write({ payload: toJsonText(payload), actor, created_at, event_hash });
    }
    assert.deepEqual((await verify(intent)).breaks, []);
  });

  it('shows a row that was removed from the store, or added to it', async () => {
    const intent = await lived();
    const { id } = eventsIn(intent);
    const { db } = stack.store;
    const [row] = await db
      .deleteFrom('events')
      .where('intent_id', '=', id)
      .where('sequence', '=', 8)
      .returningAll()
      .execute();
    assert.ok(row);
    assert.deepEqual((await verify(intent)).breaks, ['missing 8']);
    // What is written anew gets a place of its own in the feed.
    const { feed_position: _place, ...event } = row;
    const payload = toJsonText(event.payload);
    await db
      .insertInto('events')
      .values([
        { ...event, payload },
        { ...event, payload, sequence: 9 },
      ])
      .execute();
    assert.ok((await verify(intent)).breaks.includes('unexpected 9'));
  });

  it('is compared with what the store noted once Temporal has forgotten it', async () => {
    const intent = await lived();
    const { id } = eventsIn(intent);
    const { db } = stack.store;
    const copy = '00000000-0000-4000-8000-000000000001';
    const { parent_id: _generated, ...row } = await db
      .selectFrom('intents')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    await db
      .insertInto('intents')
      .values({ ...row, id: copy, record: toJsonText(row.record) })
      .execute();
    await db.updateTable('events').set({ intent_id: copy }).where('intent_id', '=', id).execute();
    const { report, breaks } = await verify(`/v1/intents/${copy}`);
    assert.equal(report.head_from, 'store');
    assert.equal(breaks[0], 'changed 1');
    const unknown = await stack.get(
      '/v1/intents/00000000-0000-4000-8000-000000000002/events/verify',
    );
    assert.equal(unknown.status, 404);
  });
});
