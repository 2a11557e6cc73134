import { status } from '@grpc/grpc-js';
import proto from '@temporalio/proto';
import assert from 'node:assert/strict';
import { TaskOwners, startFront, type Answer, type Call, type Front } from './front.js';

const service = proto.temporal.api.workflowservice.v1;

type Commit = proto.temporal.api.workflowservice.v1.RespondWorkflowTaskCompletedRequest;

/** Where a worker dies in a workflow task: before Temporal has its commands, or once they are committed. */
export type Moment = 'before the commit' | 'after the commit';

/** Lets a worker die in the middle of a workflow task. */
export interface Killing extends Front {
  /** The next task of a workflow loses its worker at this moment; resolves once it has. */
  kill(workflowId: string, moment: Moment): Promise<void>;
}

interface Wish {
  readonly moment: Moment;
  readonly done: () => void;
}

/**
 * A server in front of Temporal that loses what a worker says at the end of a task, or what Temporal replies to it. For
 * the workflow that is as if the process were killed there and another one went on: the worker lets go of all it has of
 * it. Temporal is told at once that a task has no worker any more; by itself it would find out after 10 s.
 */
export async function startKilling(address: string): Promise<Killing> {
  const wishes = new Map<string, Wish>();
  const owners = new TaskOwners();

  /** Remembers whose task a worker got. */
  function noted(reply: Buffer): Buffer {
    owners.note(service.PollWorkflowTaskQueueResponse.decode(reply));
    return reply;
  }

  const answer: Answer = async ({ method, request }, forward) => {
    if (method === 'PollWorkflowTaskQueue') return noted(await forward());
    if (method !== 'RespondWorkflowTaskCompleted') return forward();
    const commit = service.RespondWorkflowTaskCompletedRequest.decode(request);
    const workflowId = owners.of(commit.taskToken);
    const wish = wishes.get(workflowId);
    if (!wish) return forward(alone(commit));
    wishes.delete(workflowId);
    await forward(wish.moment === 'before the commit' ? lost(commit) : alone(commit));
    wish.done();
    throw Object.assign(new Error('the worker is dead'), { code: status.NOT_FOUND });
  };

  const front = await startFront(address, answer);
  return {
    connection: front.connection,
    kill: (workflowId, moment) => new Promise((done) => wishes.set(workflowId, { moment, done })),
    async close() {
      assert.deepEqual([...wishes.keys()], [], 'no task came in which a worker was to die');
      await front.close();
    },
  };
}

/** The same without the wish for the next tasks in the reply: none is to die unseen with its worker. */
function alone(commit: Commit): Call {
  for (const { scheduleActivityTaskCommandAttributes: activity } of commit.commands) {
    if (activity) activity.requestEagerExecution = false;
  }
  commit.returnNewWorkflowTask = false;
  const request = service.RespondWorkflowTaskCompletedRequest.encode(commit).finish();
  return { method: 'RespondWorkflowTaskCompleted', request };
}

/** What Temporal is told in the place of a commit. */
function lost({ taskToken, namespace }: Commit): Call {
  const failure = { message: 'the worker is dead' };
  const failed = { taskToken, namespace, failure };
  const request = service.RespondWorkflowTaskFailedRequest.encode(failed).finish();
  return { method: 'RespondWorkflowTaskFailed', request };
}
