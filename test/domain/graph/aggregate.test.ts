import assert from 'node:assert/strict';
import { INTENT_STATUSES } from '../../../contracts/constants/statuses.js';
import type { GraphNode } from '../../../contracts/graph/graph.js';
import { aggregateOf, countStatuses, edgesBetween } from '../../../domain/graph/aggregate.js';

describe('the aggregate of a graph', () => {
  it('lists every status, also those without an intent [R26-17, R26-18]', () => {
    assert.deepEqual(aggregateOf([{ status: 'active', count: 2 }]), {
      total: 2,
      by_status: {
        draft: 0,
        active: 2,
        blocked: 0,
        suspended_awaiting_input: 0,
        completed: 0,
        abandoned: 0,
      },
      completion_percentage: 0,
    });
  });

  it('adds up rows of the same status', () => {
    const rows = [1, 2].map((count) => ({ status: 'completed' as const, count }));
    const { total, by_status } = aggregateOf([...rows, { status: 'draft', count: 1 }]);
    assert.deepEqual([total, by_status.completed, by_status.draft], [4, 3, 1]);
  });

  it('counts each status as often as it occurs', () => {
    const all = [...INTENT_STATUSES, 'active', 'active'] as const;
    assert.equal(countStatuses(all).active, 3);
    assert.equal(countStatuses(all).draft, 1);
    assert.deepEqual(countStatuses([]), {});
  });
});

describe('the edges of a graph', () => {
  const node = (id: string, links: Partial<GraphNode>): GraphNode => ({
    id,
    title: id,
    status: 'active',
    parent_id: null,
    depends_on: [],
    ...links,
  });

  it('lead from parents and dependencies to each node, in the order of the nodes', () => {
    const nodes = [
      node('root', {}),
      node('child', { parent_id: 'root', depends_on: ['sibling', 'root'] }),
      node('sibling', { parent_id: 'root' }),
    ];
    assert.deepEqual(edgesBetween(nodes), [
      { from: 'root', to: 'child', type: 'parent' },
      { from: 'sibling', to: 'child', type: 'dependency' },
      { from: 'root', to: 'child', type: 'dependency' },
      { from: 'root', to: 'sibling', type: 'parent' },
    ]);
  });

  it('leave out nodes that are not shown', () => {
    const nodes = [node('child', { parent_id: 'hidden', depends_on: ['hidden', 'gone'] })];
    assert.deepEqual(edgesBetween(nodes), []);
  });
});
