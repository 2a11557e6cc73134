import assert from 'node:assert/strict';
import type { Relation } from '../../contracts/graph/graph.js';
import type { Intent } from '../../contracts/intent/intent.js';
import { writeRows } from '../../store/journal-writer.js';
import { childrenStatus, intentGraph, relatedIntents } from '../../store/queries/graph.js';
import { useStore } from '../support/store.js';
import { anIntent, instant } from './rows.js';

describe('reads of the graph', () => {
  const store = useStore();

  let age = 0;
  async function put(changes: Partial<Intent> = {}): Promise<Intent> {
    const intent = anIntent({ created_at: instant((age += 1)), ...changes });
    const edges = intent.depends_on.map(
      (dependency_id) =>
        ({
          kind: 'dependency',
          intent_id: intent.id,
          dependency_id,
          revision: 1,
          present: true,
        }) as const,
    );
    await writeRows(store.db, [...edges, { kind: 'intent', intent, last_sequence: 1 }]);
    return intent;
  }
  const related = async (relation: Relation, { id }: Intent, page = { limit: 10, offset: 0 }) =>
    (await relatedIntents(store.db, relation, id, page)).rows.map((intent) => intent.id);

  it('follow parents to any depth, in order, page by page', async () => {
    const chain = [await put()];
    for (let depth = 0; depth < 5; depth += 1) {
      chain.push(await put({ parent_intent_id: chain.at(-1)?.id ?? null }));
    }
    const [root, ...below] = chain.map(({ id }) => id);
    const [top, leaf] = [chain[0], chain[5]];
    assert.ok(top && leaf);
    assert.deepEqual(await related('descendants', top), below);
    assert.deepEqual(await related('descendants', top, { limit: 2, offset: 1 }), below.slice(1, 3));
    assert.deepEqual(await related('ancestors', leaf), [...below.slice(0, 4).reverse(), root]);
    assert.deepEqual(await related('children', top), below.slice(0, 1));
  });

  it('tell ready children by what they depend on, not by their own status', async () => {
    const parent = await put();
    const of = { parent_intent_id: parent.id };
    const done = await put({ ...of, status: 'completed' });
    const open = await put({ ...of, status: 'suspended_awaiting_input' });
    const free = await put({ ...of, depends_on: [done.id], status: 'blocked' });
    const waiting = await put({ ...of, depends_on: [done.id, open.id] });
    const unknown = await put({ ...of, depends_on: [anIntent().id] });
    assert.deepEqual(await related('ready', parent), [done.id, open.id, free.id]);
    assert.deepEqual(await related('blocked', parent), [waiting.id, unknown.id]);
  });

  it('leave out edges that were removed', async () => {
    const upstream = await put();
    const dependent = await put({ depends_on: [upstream.id] });
    const gone = { intent_id: dependent.id, dependency_id: upstream.id, revision: 2 };
    assert.deepEqual(await related('dependents', upstream), [dependent.id]);
    await writeRows(store.db, [{ kind: 'dependency', ...gone, present: false }]);
    assert.deepEqual(await related('dependents', upstream), []);
    assert.deepEqual(await related('dependencies', dependent), []);
  });

  it('count children by status, and nothing of an intent without any [R26-17, R26-18]', async () => {
    const parent = await put();
    const of = { parent_intent_id: parent.id };
    for (const status of ['completed', 'active', 'suspended_awaiting_input'] as const) {
      await put({ ...of, status });
    }
    const { total, by_status, completion_percentage } = await childrenStatus(store.db, parent.id);
    assert.deepEqual([total, completion_percentage], [3, 33]);
    assert.equal(by_status.suspended_awaiting_input, 1);
    assert.equal(
      Object.values(by_status).reduce((sum, count) => sum + count, 0),
      total,
    );
    const none = await childrenStatus(store.db, anIntent().id);
    assert.deepEqual([none.total, none.completion_percentage], [0, 0]);
  });

  it('show the oldest nodes and count them all', async () => {
    const root = await put({ title: 'Nul \0 in it' });
    const child = await put({ parent_intent_id: root.id });
    await put({ parent_intent_id: child.id, depends_on: [child.id] });
    const graph = await intentGraph(store.db, root.id, 2);
    assert.deepEqual(
      graph.nodes.map(({ id, title }) => [id, title]),
      [
        [root.id, 'Nul \0 in it'],
        [child.id, child.title],
      ],
    );
    assert.deepEqual(graph.edges, [{ from: root.id, to: child.id, type: 'parent' }]);
    assert.deepEqual([graph.truncated, graph.aggregate_status.total], [true, 3]);
    const whole = await intentGraph(store.db, root.id, 10);
    assert.deepEqual([whole.truncated, whole.edges.length], [false, 3]);
  });
});
