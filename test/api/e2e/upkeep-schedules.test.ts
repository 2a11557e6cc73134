import { Client, ScheduleOverlapPolicy } from '@temporalio/client';
import assert from 'node:assert/strict';
import { RECONCILIATION, TASK_QUEUE, UPKEEP } from '../../../contracts/constants/names.js';
import { ensureReconciliation, ensureRetention } from '../../../workers/ensure-upkeep.js';
import { startTemporal, type StartedTemporal } from '../../support/temporal.js';

describe('schedules of an installation', () => {
  let temporal: StartedTemporal;
  let client: Client;
  const warned: string[] = [];
  const log = { warn: (_fields: object, message: string) => warned.push(message) };
  before(async () => {
    temporal = await startTemporal();
    client = new Client({ connection: temporal.connection });
  });
  after(() => temporal.stop());
  afterEach(() => assert.deepEqual(warned, []));

  it('are made what a new release wants, and stay paused if somebody has paused them', async () => {
    const handle = await client.schedule.create({
      scheduleId: RECONCILIATION.schedule,
      spec: { intervals: [{ every: '1 minute' }] },
      action: { type: 'startWorkflow', workflowType: 'older', taskQueue: 'elsewhere' },
      policies: { overlap: ScheduleOverlapPolicy.BUFFER_ALL, catchupWindow: '1 minute' },
      state: { paused: true, note: 'maintenance' },
    });
    for (let starts = 0; starts < 2; starts += 1) {
      await ensureReconciliation(client, log);
      const { spec, action, policies, state } = await handle.describe();
      assert.deepEqual(
        spec.intervals?.map(({ every }) => every),
        [600_000],
      );
      assert.deepEqual([action.workflowType, action.taskQueue], [RECONCILIATION.type, TASK_QUEUE]);
      assert.deepEqual([policies.overlap, policies.catchupWindow], ['SKIP', 3_600_000]);
      assert.deepEqual([state.paused, state.note], [true, 'maintenance']);
    }
    await handle.delete();
  });

  it('are there while a setting wants them', async () => {
    const schedule = client.schedule.getHandle(UPKEEP.retentionSchedule);
    for (const days of [30, 60]) {
      await ensureRetention(client, days, log);
      const { spec } = await schedule.describe();
      assert.deepEqual(spec.intervals, [{ every: 3_600_000, offset: 1_800_000 }]);
    }
    for (let starts = 0; starts < 2; starts += 1) await ensureRetention(client, undefined, log);
    await assert.rejects(schedule.describe(), { name: 'ScheduleNotFoundError' });
  });
});
