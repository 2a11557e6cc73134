import assert from 'node:assert/strict';
import fc from 'fast-check';
import { cycleOf, orderOf } from '../../../domain/kernel/graph.js';

const edge = (intent_id: string, dependency_id: string) => ({ intent_id, dependency_id });

describe('cycles of dependencies', () => {
  it('are reported as a path', () => {
    const edges = [edge('b', 'c'), edge('c', 'd'), edge('d', 'a'), edge('b', 'x'), edge('x', 'd')];
    assert.deepEqual(cycleOf(edges, edge('a', 'b')), ['a', 'b', 'c', 'd', 'a']);
    assert.deepEqual(cycleOf([edge('b', 'a')], edge('a', 'b')), ['a', 'b', 'a']);
    assert.deepEqual(cycleOf([], edge('a', 'a')), ['a', 'a']);
  });

  it('are not seen where two ways lead to the same intent', () => {
    const diamond = [edge('b', 'd'), edge('c', 'd'), edge('d', 'e')];
    assert.equal(cycleOf([...diamond, edge('a', 'c')], edge('a', 'b')), undefined);
  });

  it('never come about where each edge is looked at before it is added', () => {
    const ids = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
    fc.assert(
      fc.property(fc.array(fc.tuple(ids, ids), { maxLength: 30 }), (wanted) => {
        const edges: ReturnType<typeof edge>[] = [];
        for (const [from, to] of wanted) {
          const path = cycleOf(edges, edge(from, to));
          if (path === undefined) edges.push(edge(from, to));
          else {
            assert.deepEqual([path[0], path[1], path.at(-1)], [from, to, from]);
            const steps = path.slice(1, -1).map((id, index) => [id, path[index + 2]]);
            for (const [at, next] of steps) {
              assert.ok(edges.some((one) => one.intent_id === at && one.dependency_id === next));
            }
          }
        }
        assert.ok(isAcyclic(edges));
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('the order of nodes', () => {
  const node = (name: string, ...depends_on: string[]) => ({ name, depends_on });
  const namesOf = (nodes: readonly { name: string }[]) => nodes.map(({ name }) => name);

  it('has each node after its dependencies, and else as listed', () => {
    const nodes = [node('d', 'b', 'c'), node('a'), node('b', 'a'), node('c', 'a'), node('e')];
    const { ordered, cycles } = orderOf(nodes);
    assert.deepEqual(namesOf(ordered), ['a', 'b', 'c', 'd', 'e']);
    assert.deepEqual(cycles, []);
  });

  it('ignores dependencies outside the list', () => {
    assert.deepEqual(namesOf(orderOf([node('a', 'elsewhere')]).ordered), ['a']);
  });

  it('has each node once even where there are cycles, and names these', () => {
    const nodes = [node('x', 'a'), node('a', 'b'), node('b', 'c', 'b'), node('c', 'a')];
    const { ordered, cycles } = orderOf(nodes);
    assert.deepEqual(namesOf(ordered).sort(), ['a', 'b', 'c', 'x']);
    assert.deepEqual(cycles, [
      ['a', 'b', 'c', 'a'],
      ['b', 'b'],
    ]);
  });
});

/** Takes away what depends on nothing, again and again. */
function isAcyclic(edges: readonly ReturnType<typeof edge>[]): boolean {
  const left = edges.filter(({ dependency_id }) =>
    edges.some(({ intent_id }) => intent_id === dependency_id),
  );
  return left.length === 0 || (left.length < edges.length && isAcyclic(left));
}
