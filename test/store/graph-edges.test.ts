import assert from 'node:assert/strict';
import type { JournalRow } from '../../contracts/log/journal.js';
import { writeRows } from '../../store/journal-writer.js';
import { linkDependency } from '../../store/queries/graph.js';
import type { Store } from '../../store/schema.js';
import { openPatiently } from '../support/patience.js';
import { withStore, type TestStore } from '../support/store.js';
import { anIntent } from './rows.js';

describe('edges of the graph', () => {
  let store: TestStore;
  let other: Store;
  before(async () => {
    store = await withStore();
    other = openPatiently(store.url);
  });
  after(async () => {
    await other.destroy();
    await store.close();
  });

  async function intents(count: number): Promise<string[]> {
    const all = Array.from({ length: count }, () => anIntent());
    await writeRows(
      store.db,
      all.map((intent) => ({ kind: 'intent', intent, last_sequence: 1 }) as const),
    );
    return all.map(({ id }) => id);
  }

  const edge = (intent_id = '', dependency_id = '', revision = 1) => ({
    intent_id,
    dependency_id,
    revision,
  });
  const row = (from = '', to = '', revision = 1, present = true): JournalRow => ({
    ...edge(from, to, revision),
    kind: 'dependency',
    present,
  });

  async function dependenciesOf(intentId = ''): Promise<string[]> {
    const rows = await store.db
      .selectFrom('dependencies')
      .select('dependency_id')
      .where('intent_id', '=', intentId)
      .where('present', '=', true)
      .execute();
    return rows.map(({ dependency_id }) => dependency_id);
  }

  it('are added, also when the same is added again', async () => {
    const [a, b] = await intents(2);
    for (let time = 0; time < 2; time += 1) {
      assert.deepEqual(await linkDependency(store.db, edge(a, b)), { ok: true, value: true });
    }
    assert.deepEqual(await dependenciesOf(a), [b]);
  });

  it('are refused if they close a cycle, with its path', async () => {
    const [a, b, c, d] = await intents(4);
    await writeRows(store.db, [row(b, c), row(c, d), row(b, d)]);
    await linkDependency(store.db, edge(d, a));
    const ruling = await linkDependency(store.db, edge(a, b));
    assert.equal(ruling.ok, false);
    assert.equal(ruling.refusal.code, 'dependency_cycle');
    assert.deepEqual(ruling.refusal.state?.['path'], [a, b, d, a]);
    assert.deepEqual(await dependenciesOf(a), []);
  });

  it('go to no intent that is unknown', async () => {
    const [a] = await intents(1);
    const ruling = await linkDependency(store.db, edge(a, anIntent().id));
    assert.equal(ruling.ok, false);
    assert.equal(ruling.refusal.code, 'intent_not_found');
    assert.deepEqual(await dependenciesOf(a), []);
  });

  it('are not added while one that they lead to may have edges to come', async () => {
    const [b, c] = await intents(2);
    const a = anIntent();
    await writeRows(store.db, [row(c, a.id)]);
    const early = await linkDependency(store.db, edge(b, c));
    assert.equal(early.ok, false);
    assert.equal(early.refusal.code, 'store_unavailable');
    assert.deepEqual(await dependenciesOf(b), []);

    await writeRows(store.db, [row(a.id, b), { kind: 'intent', intent: a, last_sequence: 1 }]);
    const closed = await linkDependency(store.db, edge(b, c));
    assert.equal(closed.ok, false);
    assert.deepEqual(closed.refusal.state?.['path'], [b, c, a.id, b]);
  });

  it('are forgotten by their revision, whatever comes late', async () => {
    const [a, b] = await intents(2);
    await linkDependency(store.db, edge(a, b, 1));
    await writeRows(store.db, [row(a, b, 2, false), row(a, b, 1)]);
    await writeRows(store.db, [row(a, b, 1)]);
    await linkDependency(store.db, edge(a, b, 2));
    assert.deepEqual(await dependenciesOf(a), []);
    await linkDependency(store.db, edge(b, a, 1));
    assert.deepEqual(await dependenciesOf(b), [a]);
    await writeRows(store.db, [row(b, a, 2, false)]);
    await linkDependency(store.db, edge(a, b, 3));
    assert.deepEqual(await dependenciesOf(a), [b]);
  });

  it('never close a cycle together, however many are added at once', async () => {
    for (let round = 0; round < 10; round += 1) {
      const ring = await intents(4);
      const rulings = await Promise.all(
        ring.map((id, index) =>
          linkDependency(index % 2 === 0 ? store.db : other, edge(id, ring[(index + 1) % 4])),
        ),
      );
      const refusals = rulings.flatMap((ruling) => (ruling.ok ? [] : [ruling.refusal]));
      assert.deepEqual(
        refusals.map(({ code }) => code),
        ['dependency_cycle'],
      );
      assert.equal((refusals[0]?.state?.['path'] as unknown[] | undefined)?.length, 5);
    }
  });
});
