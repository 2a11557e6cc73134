import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { registerAgentSchema, type AgentRecord } from '../../contracts/agent/agent.js';
import type { JournalRow } from '../../contracts/log/journal.js';
import { readFeed } from '../../store/feed/source.js';
import { inSpace, wholeStore } from '../../store/in-space.js';
import { writeRows } from '../../store/journal-writer.js';
import { changeAgent, findAgent, listAgents } from '../../store/queries/people/principal.js';
import { eraseClosedIntent } from '../../store/queries/erasure/erasure.js';
import { findEvents, lastSequences, listEvents } from '../../store/queries/event-log.js';
import { intentGraph, linkDependency, relatedIntents } from '../../store/queries/graph.js';
import { countSuspensions, listSuspensions } from '../../store/queries/inbox.js';
import { findIntent, listIntents } from '../../store/queries/intent.js';
import { settleSuspension } from '../../store/queries/work/lost-entity.js';
import { findSuspension, isQuestionId } from '../../store/queries/suspension.js';
import {
  countSubscriptions,
  subscriptionsToWake,
} from '../../store/queries/people/subscription.js';
import { EXAMPLES } from '../support/examples.js';
import { loggedIn } from '../support/events.js';
import { withStore, type TestStore } from '../support/store.js';
import { SETTLEMENT, aRecord, anEvent, anIntent, instant, openedRow } from './rows.js';

const PAGE = { limit: 10, offset: 0 } as const;
const SPACES = ['default', 'team-b'] as const;

const AGENT: AgentRecord = {
  ...registerAgentSchema.parse({ agent_id: 'helper' }),
  status: 'active',
  current_load: 0,
  tasks_in_progress: [],
  registered_by: 'agent-1',
  registered_at: instant(0),
  last_heartbeat_at: null,
  version: 1,
};

/** A parent with a child that asks, as the journal of a space writes them. */
function family() {
  const parent = anIntent();
  const child = anIntent({ parent_intent_id: parent.id });
  const record = aRecord();
  const event = anEvent({ intent_id: child.id, event_type: 'comment' });
  const rows: readonly JournalRow[] = [
    { kind: 'intent', intent: parent, last_sequence: 1 },
    { kind: 'intent', intent: child, last_sequence: 1 },
    openedRow(child.id, record),
    { kind: 'event', event },
  ];
  return { parent, child, record, event, rows };
}

describe('a space', () => {
  let store: TestStore;
  const families = { default: family(), 'team-b': family() };
  before(async () => {
    store = await withStore();
    for (const space of SPACES) await writeRows(store.db, families[space].rows, space);
  });
  after(() => store.close());

  const other = (space: (typeof SPACES)[number]) =>
    families[space === 'default' ? 'team-b' : 'default'];

  for (const space of SPACES) {
    it(`has its own things alone, by their ids: ${space}`, async () => {
      const db = inSpace(store.db, space);
      const { child, record } = families[space];
      const foreign = other(space);
      assert.equal((await findIntent(db, child.id))?.id, child.id);
      assert.equal(await findIntent(db, foreign.child.id), undefined);
      assert.equal((await findSuspension(db, record.id))?.record.id, record.id);
      assert.equal(await findSuspension(db, foreign.record.id), undefined);
      assert.deepEqual((await listEvents(db, foreign.child.id, PAGE)).rows, []);
      const stored = await lastSequences(db, [child.id, foreign.child.id]);
      assert.deepEqual([stored.get(child.id), stored.get(foreign.child.id)], [1, 0]);
    });

    it(`lists and counts its own things alone: ${space}`, async () => {
      const db = inSpace(store.db, space);
      const { parent, child, record, event } = families[space];
      const intents = await listIntents(db, PAGE);
      const ids = intents.rows.map(({ id }) => id);
      assert.deepEqual(ids.sort(), [parent.id, child.id].sort());
      const inbox = await listSuspensions(db, { state: 'pending', sort: 'urgency', limit: 10 });
      assert.deepEqual(
        inbox.rows.map(({ entry }) => entry.record.id),
        [record.id],
      );
      assert.equal((await countSuspensions(db, {})).pending, 1);
      const found = await findEvents(db, ['comment'], PAGE);
      assert.deepEqual(
        found.rows.map(({ id }) => id),
        [event.id],
      );
      const reader = { principal: 'billing-agent', groups: [] };
      assert.equal((await listIntents(db, { ...PAGE, reader })).rows.length, 2);
    });

    it(`has its own relatives and events alone: ${space}`, async () => {
      const db = inSpace(store.db, space);
      const { parent, child, event } = families[space];
      const foreign = other(space);
      const below = await relatedIntents(db, 'descendants', parent.id, PAGE);
      assert.deepEqual(
        below.rows.map(({ id }) => id),
        [child.id],
      );
      const foreignBelow = await relatedIntents(db, 'descendants', foreign.parent.id, PAGE);
      assert.deepEqual(foreignBelow.rows, []);
      assert.deepEqual((await intentGraph(db, foreign.parent.id, 10)).nodes, []);
      const range = { after: 0, upTo: Number.MAX_SAFE_INTEGER, limit: 10 };
      const { rows } = await readFeed(store.db, { kind: 'all', space }, range);
      assert.deepEqual(
        rows.map((entry) => [entry.space, loggedIn(entry).id]),
        [[space, event.id]],
      );
      const scope = { kind: 'intent', id: foreign.child.id, space } as const;
      assert.deepEqual((await readFeed(store.db, scope, range)).rows, []);
      const agents = { kind: 'agent', id: event.actor, space } as const;
      assert.equal((await readFeed(store.db, agents, range)).rows.length, 1);
    });
  }

  it('takes no edge to, and erases and settles nothing of, another', async () => {
    const { child } = families.default;
    const { parent: foreign, record } = families['team-b'];
    const edge = { intent_id: child.id, dependency_id: foreign.id, revision: 2 };
    const linked = await linkDependency(store.db, edge, 'default');
    assert.equal(linked.ok ? 'linked' : linked.refusal.code, 'intent_not_found');
    const order = { by: 'root', actor: 'root', at: new Date().toISOString() };
    assert.equal(await eraseClosedIntent(store.db, foreign.id, order, 'default'), undefined);
    await settleSuspension(store.db, record.id, SETTLEMENT, 'default');
    const kept = await findSuspension(inSpace(store.db, 'team-b'), record.id);
    assert.equal(kept?.state, 'pending');
  });

  it('cannot overwrite a row of another with the same id', async () => {
    const { parent, record } = families.default;
    const forged = { ...parent, title: 'Forged', version: 9 };
    const rows: readonly JournalRow[] = [
      { kind: 'intent', intent: forged, last_sequence: 9 },
      openedRow(parent.id, { ...record, question: 'Forged?' }),
    ];
    await writeRows(store.db, rows, 'team-b');
    const db = inSpace(store.db, 'default');
    assert.equal((await findIntent(db, parent.id))?.title, parent.title);
    assert.equal((await findSuspension(db, record.id))?.record.question, record.question);
    assert.equal(await findSuspension(inSpace(store.db, 'team-b'), record.id), undefined);
    assert.equal(await isQuestionId(inSpace(store.db, 'team-b'), record.id), true);
  });

  it('has agents of its own under the same names', async () => {
    const named = (name: string) => () => ({ ...AGENT, name });
    for (const space of SPACES) await changeAgent(store.db, 'helper', named(space), space);
    for (const space of SPACES) {
      const db = inSpace(store.db, space);
      assert.equal((await findAgent(db, 'helper'))?.name, space);
      assert.equal((await listAgents(db, 10)).rows.length, 1);
    }
  });

  it('has its own quota of subscriptions, and is woken by its own events alone', async () => {
    const begun = (space: string) => {
      const id = randomUUID();
      const all = { intent_id: null, portfolio_id: null, event_types: [], active: true };
      const subscription = { ...EXAMPLES.subscription, ...all, id, created_by: 'ledger' };
      return writeRows(store.db, [{ kind: 'subscription', subscription }], space);
    };
    await begun('default');
    await begun('default');
    await begun('team-b');
    const count = (space: string) => countSubscriptions(inSpace(store.db, space), 'ledger', space);
    assert.deepEqual(await count('default'), { own: 2, all: 3 });
    assert.deepEqual(await count('team-b'), { own: 1, all: 3 });
    const event = anEvent({ event_type: 'comment' });
    await writeRows(store.db, [{ kind: 'event', event }], 'team-b');
    const range = { after: 0, upTo: Number.MAX_SAFE_INTEGER, limit: 99 };
    const { rows } = await readFeed(store.db, { kind: 'everything' }, range);
    const upTo = rows.at(-1)?.position ?? 0;
    const woken = await subscriptionsToWake(store.db, { after: upTo - 1, upTo });
    assert.deepEqual(
      woken.map(({ space }) => space),
      ['team-b'],
    );
  });

  it('is known of every table that has spaces', async () => {
    const db = inSpace(store.db, 'team-b');
    const { rows } = await sql<{ name: string }>`
      select table_name as name from information_schema.columns
      where table_schema = current_schema() and column_name = 'space'`.execute(store.db);
    const open = rows
      .map(({ name }) => name)
      .filter((name) => {
        const query = db
          .selectFrom(name as 'intents')
          .selectAll()
          .compile().sql;
        return !query.includes(`"${name}" as not materialized`);
      });
    // What reads these has the hash of a session, or names the space.
    assert.deepEqual(open.sort(), ['push_news', 'push_subscriptions', 'quiet_hours', 'sessions']);
  });

  it('is only read through it', async () => {
    const db = inSpace(store.db, 'team-b');
    assert.throws(() => db.deleteFrom('intents').compile(), /only read/);
    assert.ok(wholeStore(db).deleteFrom('intents').compile().sql.startsWith('delete'));
  });
});
