import assert from 'node:assert/strict';
import { RECONCILIATION, workflowIdOf } from '../../../contracts/constants/names.js';
import { ensureReconciliation } from '../../../workers/ensure-upkeep.js';
import { reconciliation } from '../../../workers/reconciliation.js';
import { watchUnwritten } from '../../../workers/upkeep-watch.js';
import { lookUntil } from '../../support/looks.js';
import { REFUND, RealStack } from '../../support/real-stack.js';
import { onServer } from '../../support/stack-temporal.js';
import { settledInStore } from '../../support/stored-questions.js';
import { connectedTo, startOnFreePort } from '../../support/temporal.js';

const NEVER = new AbortController().signal;
/** Longer than writers have. */
const LATER_MS = 60_000;

describe('a worker that looks for what nobody wrote', () => {
  let stack: RealStack;
  before(async () => {
    // A server of its own: what other files have ended there would be unwritten here.
    stack = await RealStack.start({}, onServer(startOnFreePort().then(connectedTo)));
  });
  after(() => stack.close());

  async function asked(): Promise<string> {
    const { id } = (await stack.post('/v1/suspensions', 'agent', REFUND)).body as { id: string };
    await stack.delivered(id);
    return id;
  }

  async function isListedAsEnded(id: string): Promise<boolean> {
    const query = `WorkflowId = '${workflowIdOf('suspension', id)}' AND ExecutionStatus = 'Completed'`;
    return (await stack.client.workflow.count(query)).count === 1;
  }

  it('lets the reconciler run for a question that was terminated, and not for one that was answered', async () => {
    await ensureReconciliation(stack.client, { warn: (_fields, message) => assert.fail(message) });
    const schedule = stack.client.schedule.getHandle(RECONCILIATION.schedule);
    // Of its own it would run whenever ten minutes are full.
    await schedule.pause();
    const runs = async () => (await schedule.describe()).info.numActionsTaken;
    const watch = watchUnwritten(
      reconciliation(stack.store.db, () => stack.client),
      stack.client,
      async () => true,
      () => new Date(Date.now() + LATER_MS),
    );
    // The first look lets it run in any case.
    await watch.look(NEVER);
    await lookUntil(async () => (await runs()) > 0, 'the reconciler does not run at the start');
    const [answered, lost] = [await asked(), await asked()];
    await stack.post(`/v1/suspensions/${answered}/respond`, 'operator', { value: 'approve' });
    await settledInStore(stack.store, answered);
    await lookUntil(() => isListedAsEnded(answered), 'Temporal lists the answered one as running');
    const before = await runs();
    await watch.look(NEVER);
    assert.equal(await runs(), before);
    await stack.client.workflow.getHandle(workflowIdOf('suspension', lost)).terminate();
    await lookUntil(async () => {
      await watch.look(NEVER);
      return (await runs()) > before;
    }, 'the reconciler does not run');
    await schedule.delete();
  });
});
