import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { BroadcastChannel } from 'node:worker_threads';
import type { RunNames } from '../../store/queries/work/quarantine.js';
import { SET_ASIDE, startNotingSetAside } from '../../workers/workflow-threads.js';

const RUN = { workflow_id: 'intent-1', run_id: 'run-1' };

describe('the notes of a worker on runs that its threads set aside', () => {
  it('are taken one after another, also after one that failed, and before it ends', async () => {
    const steps = new EventEmitter();
    const noted: RunNames[] = [];
    const logged: string[] = [];
    let isAway = true;
    const end = startNotingSetAside({
      log: { warn: (_fields, event) => logged.push(event) },
      async note(run) {
        steps.emit('began');
        if (isAway) throw new Error('the store is away');
        await new Promise((resolve) => setImmediate(resolve));
        noted.push(run);
      },
    });
    const thread = new BroadcastChannel(SET_ASIDE);
    try {
      const first = once(steps, 'began');
      thread.postMessage(RUN);
      await first;
      isAway = false;
      const second = once(steps, 'began');
      thread.postMessage(RUN);
      await second;
      await end();
      assert.deepEqual(noted, [RUN]);
      assert.deepEqual(logged, ['set_aside_not_noted']);
    } finally {
      thread.close();
    }
  });
});
