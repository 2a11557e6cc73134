import assert from 'node:assert/strict';
import { LIMITS } from '../../contracts/constants/limits.js';
import { writeRows } from '../../store/journal-writer.js';
import type { Page } from '../../store/queries/bounded.js';
import { listEvents } from '../../store/queries/event-log.js';
import { intentGraph, relatedIntents } from '../../store/queries/graph.js';
import { listSuspensions } from '../../store/queries/inbox.js';
import { withStore, type TestStore } from '../support/store.js';
import { aRecord, anEvent, anIntent, instant, openedRow } from './rows.js';

const MANY = 12;
/** Bytes. Twelve of them are more than a page of whole entries holds. */
const LARGE = 800_000;

describe('a list of large entries', () => {
  let store: TestStore;
  beforeEach(async () => {
    store = await withStore();
  });
  afterEach(() => store.close());

  /** Children of one parent, each with a large state, or a long description. */
  async function family(large: { readonly state?: number; readonly description?: number }) {
    const parent = anIntent();
    const children = Array.from({ length: MANY }, (_, n) =>
      anIntent({
        parent_intent_id: parent.id,
        created_at: instant(n),
        state: { text: 'x'.repeat(large.state ?? 0) },
        description: 'x'.repeat(large.description ?? 0),
      }),
    );
    const rows = [parent, ...children].map((intent) => ({
      kind: 'intent' as const,
      intent,
      last_sequence: 1,
    }));
    for (const row of rows) await writeRows(store.db, [row]);
    return { parent, children };
  }
  const childrenOf = ({ id }: { id: string }, page: Page) =>
    relatedIntents(store.db, 'children', id, page);

  it('leaves out what makes them large, and so holds all of them', async () => {
    const { parent, children } = await family({ state: LARGE });
    const page = await childrenOf(parent, { limit: 100, offset: 0 });
    assert.deepEqual([page.rows.length, page.more, page.whole], [MANY, false, false]);
    assert.deepEqual(
      page.rows.map(({ id }) => id),
      children.map(({ id }) => id),
    );
    assert.deepEqual(
      ['state', 'constraints', 'access'].filter((name) => name in (page.rows[0] ?? {})),
      [],
    );
  });

  for (const [kind, whole, large, most] of [
    ['whole entries', true, { state: LARGE }, LIMITS.wholePageBytes],
    ['summaries', false, { description: LARGE }, LIMITS.pageBytes],
  ] as const) {
    it(`ends a page of ${kind} where its bytes are used up, and goes on after it`, async () => {
      const { parent, children } = await family(large);
      const seen: string[] = [];
      for (let more = true; more;) {
        const page = await childrenOf(parent, { limit: 100, offset: seen.length, whole });
        assert.ok(page.rows.length > 0 && JSON.stringify(page.rows).length <= most);
        assert.ok(page.rows.length < MANY);
        seen.push(...page.rows.map(({ id }) => id));
        more = page.more;
      }
      assert.deepEqual(
        seen,
        children.map(({ id }) => id),
      );
    });
  }

  it('holds one entry that is larger than a page by itself', async () => {
    const { parent } = await family({ description: LIMITS.pageBytes });
    const page = await childrenOf(parent, { limit: 100, offset: 3 });
    assert.deepEqual([page.rows.length, page.more], [1, true]);
  });

  it('ends a page of a log, and a graph, in the same way', async () => {
    const { id: intent_id } = anIntent();
    for (let sequence = 1; sequence <= 4; sequence += 1) {
      const event = anEvent({ intent_id, sequence, payload: { text: 'x'.repeat(LARGE) } });
      await writeRows(store.db, [{ kind: 'event', event }]);
    }
    const log = await listEvents(store.db, intent_id, { limit: 100, offset: 0 });
    assert.deepEqual([log.rows.map(({ sequence }) => sequence), log.more], [[4, 3], true]);
    const root = anIntent({ title: 'x'.repeat(LARGE) });
    const below = [1, 2, 3].map(() =>
      anIntent({ parent_intent_id: root.id, title: 'x'.repeat(LARGE) }),
    );
    for (const intent of [root, ...below]) {
      await writeRows(store.db, [{ kind: 'intent', intent, last_sequence: 1 }]);
    }
    const { nodes, truncated } = await intentGraph(store.db, root.id, 100);
    assert.deepEqual([nodes.length, truncated], [2, true]);
  });

  it('ends a page of the inbox in the same way', async () => {
    const context = { text: 'x'.repeat(LARGE) };
    for (let n = 0; n < 4; n += 1) {
      await writeRows(store.db, [openedRow(anIntent().id, aRecord({ context }))]);
    }
    const all = { state: 'pending', sort: 'oldest', limit: 100 } as const;
    const { rows, more } = await listSuspensions(store.db, all);
    assert.deepEqual([rows.length, more], [2, true]);
  });
});
