import assert from 'node:assert/strict';
import { MockActivityEnvironment } from '@temporalio/testing';
import { describe, it } from 'mocha';
import type { ActivityDependencies } from '../../activities/dependencies.js';
import { createActivities } from '../../activities/index.js';
import type { Reconciled } from '../../activities/types.js';
import { noQuestions } from './support.js';

const SO_FAR: Reconciled = {
  looked_until: '2026-03-24T09:59:30.000Z',
  written: 2,
  lost: 0,
  missing: 0,
  unknown: 0,
  behind: 0,
  handed_in: 0,
  contradicted: 0,
  next: { stage: 2, after: 'page 7' },
};

describe('a try of a look that was cut short', () => {
  it('goes on where the last heartbeat says, and says itself how far it has come', async () => {
    const asked: (readonly [string, string | undefined])[] = [];
    const reconciliation = {
      ...noQuestions(),
      async *runningSince(type: string, _range: unknown, place?: { readonly after?: string }) {
        asked.push([type, place?.after]);
        if (type === 'suspension') yield [{ id: 'q8', space: 'default' }];
      },
    };
    const dependencies = { reconciliation, now: () => new Date('2026-03-24T12:00:00.000Z') };
    const activities = createActivities(dependencies as unknown as ActivityDependencies);
    const env = new MockActivityEnvironment({ attempt: 2, heartbeatDetails: SO_FAR });
    const beats: Reconciled[] = [];
    env.on('heartbeat', (soFar: Reconciled) => beats.push(soFar));
    const look = await env.run(() => activities.reconcile({ since: null }));
    const { next: _next, ...done } = SO_FAR;
    assert.deepEqual(look, done);
    assert.deepEqual(asked, [
      ['suspension', 'page 7'],
      ['approval', undefined],
    ]);
    assert.deepEqual(beats[0], SO_FAR);
  });
});
