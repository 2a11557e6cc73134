import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import type { LiveView } from '../../../contracts/suspension/view.js';
import type { PauseOptions } from '../../../workflows/human/index.js';
import { caller } from '../../support/callers.js';
import { Agents } from '../support/agents.js';
import { respond } from '../support/suspensions.js';

const JOB: PauseOptions = {
  reason: 'external_job',
  resume_signal: 'job_done',
  resumable_by: ['job-runner'],
  timeout_seconds: 600,
};

describe('a workflow that pauses for another reason', () => {
  let agents: Agents;
  before(async () => {
    agents = await Agents.start();
    agents.world.activities.deliver = () => Promise.reject(new Error('nobody is to be notified'));
  });
  after(() => agents.close());

  async function resume(view: LiveView, data: string): Promise<void> {
    const by = caller('job-runner');
    const answer = await agents.world.answer(view, data);
    const signal = { ...answer, by, responded_by: by.principal, resume_signal: 'job_done' };
    await respond({ handle: agents.world.suspension(view.id) }, signal);
  }

  it('goes on with the data of the signal [JC-47] [JC-53] [TM-01]', async () => {
    const agent = await agents.run('pauses', JOB);
    const view = await agents.question(agent);
    assert.equal(view.record.pause?.reason, 'external_job');
    await resume(view, 'https://builds.test/7');
    assert.deepEqual(await agent.result(), { outcome: 'resumed', data: 'https://builds.test/7' });
  });

  it('goes on with the timeout_outcome where nothing comes [JC-45]', async () => {
    const agent = await agents.run('pauses', { ...JOB, timeout_outcome: 'gave_up' });
    await agents.question(agent);
    await agents.world.sleep('601 s');
    assert.deepEqual(await agent.result(), { outcome: 'gave_up', data: null });
  });
});
