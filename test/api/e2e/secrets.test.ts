import { sql } from 'kysely';
import { after, before, describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { everything } from '../../support/everything.js';
import { REFUND, RealStack, ask, createIntent } from '../../support/real-stack.js';
import { TOKEN } from '../../support/secrets.js';

const TABLES = ['intents', 'events', 'suspensions', 'suspension_timeline', 'deliveries'] as const;

describe('a question with a secret', () => {
  let stack: RealStack;

  before(async () => {
    stack = await RealStack.start();
  });

  after(() => stack.close());

  /** Every row of the store, and the intent's history in Temporal, as text. */
  async function kept(intent: string): Promise<string> {
    const tables = await Promise.all(
      TABLES.map((table) => sql`select * from ${sql.table(table)}`.execute(stack.store.db)),
    );
    const handle = stack.client.workflow.getHandle(`intent-${intent.split('/').pop() ?? ''}`);
    const { events = [] } = await handle.fetchHistory();
    const payloads = JSON.stringify(events, (_key, value: unknown) =>
      value instanceof Uint8Array ? Buffer.from(value).toString() : value,
    );
    return JSON.stringify(tables.map(({ rows }) => rows)) + payloads;
  }

  it('changes nothing, and nothing of it is kept [R25-101]', async () => {
    const intent = await createIntent(stack);
    const unchanged = await everything(stack, intent);

    const body = { ...REFUND, context: { note: 'harmless-note', token: TOKEN } };
    const reply = await stack.post(`${intent}/suspend`, 'agent', body);

    assert.deepEqual([reply.status, reply.body.code], [422, 'secret_refused']);
    assert.deepEqual(await everything(stack, intent), unchanged);
    assert.deepEqual(stack.notified, []);
    await ask(stack, intent, { ...REFUND, context: { note: 'another-note' } });
    await everything(stack, intent);
    const text = await kept(intent);
    assert.ok(text.includes('another-note'));
    assert.ok(!text.includes(TOKEN) && !text.includes('harmless-note'));
  });
});
