import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import type { LiveView } from '../../../contracts/suspension/view.js';
import { withdrawSignal } from '../../../workflows/suspension/messages.js';
import type { PauseOptions } from '../../../workflows/human/index.js';
import { caller } from '../../support/callers.js';
import { Agents, failureOf } from '../support/agents.js';
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

  it('fails where the pause is withdrawn', async () => {
    const agent = await agents.run('pauses', JOB);
    const { id } = await agents.question(agent);
    const cancel = { cancelled_by: 'root', settled_by: 'admin', reason: 'no need' } as const;
    await agents.world.suspension(id).signal(withdrawSignal, cancel);
    assert.equal((await failureOf(agent)).type, 'InputCancelledError');
  });

  for (const [what, options, field] of [
    ['a reason that nobody knows', { ...JOB, reason: 'weather' }, 'reason'],
    ['no signal', { reason: 'custom' }, 'resume_signal'],
    ['a field of a question', { ...JOB, question: 'Done?' }, 'question'],
    ['the outcome of a resumption', { ...JOB, timeout_outcome: 'resumed' }, 'timeout_outcome'],
  ] as const) {
    it(`is refused with ${what}`, async () => {
      const agent = await agents.run('pauses', options as unknown as PauseOptions);
      const failure = await failureOf(agent);
      const [detail] = failure.details as [{ field: string }];
      assert.deepEqual([failure.type, detail.field], ['invalid_request', field]);
    });
  }
});
