import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Reconciled, ReconcileRequest } from '../../../activities/types.js';
import { RECONCILIATION } from '../../../contracts/constants/names.js';
import type { reconciliation } from '../../../workflows/upkeep/workflow.js';
import { lookUntil } from '../../support/looks.js';
import { perSuite, World } from '../support/world.js';

const NOTHING = {
  written: 0,
  lost: 0,
  missing: 0,
  unknown: 0,
  behind: 0,
  handed_in: 0,
  contradicted: 0,
};

/** What a run is told of the one before, only a server knows. */
describe('a look for what nobody wrote', () => {
  let world: World;
  perSuite(World, (one) => (world = one), { on: 'dev server' });

  it('begins where the last one ended, with what failed there', async () => {
    const failed = [{ type: 'suspension', id: 's1', space: 'team-b' }] as const;
    const results: Reconciled[] = [
      { looked_until: '2026-11-22T10:00:00.000Z', ...NOTHING, failed },
      { looked_until: '2026-11-22T10:01:00.000Z', ...NOTHING },
    ];
    const requests: ReconcileRequest[] = [];
    world.activities.reconciling = async (request) => {
      requests.push(request);
      const last = { looked_until: '2026-11-22T10:02:00.000Z', ...NOTHING };
      return results[requests.length - 1] ?? last;
    };
    const handle = await world.client.start<typeof reconciliation>(RECONCILIATION.type, {
      workflowId: RECONCILIATION.id,
      taskQueue: world.taskQueue,
      cronSchedule: '@every 1s',
    });
    await lookUntil(async () => requests.length >= 3, 'it does not look again');
    await handle.terminate();
    assert.deepEqual(requests.slice(0, 3), [
      { since: null },
      { since: '2026-11-22T10:00:00.000Z', again: failed },
      { since: '2026-11-22T10:01:00.000Z' },
    ]);
  });
});
