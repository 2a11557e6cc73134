import proto from '@temporalio/proto';
import assert from 'node:assert/strict';
import { TaskOwners, startFront, type Answer, type Front } from './front.js';

const service = proto.temporal.api.workflowservice.v1;
const END = 'RespondWorkflowTaskCompleted';

/** Lets something happen while a workflow task is under way. */
export interface Holding extends Front {
  /** The next task of a workflow to end does so only when it is let go; all that comes meanwhile is for the next one. */
  hold(workflowId: string): HeldTask;
}

export interface HeldTask {
  /** Resolves once the worker has decided, of which Temporal does not know yet. */
  readonly decided: Promise<void>;
  letGo(): void;
}

interface Wish {
  readonly decided: () => void;
  readonly isLetGo: Promise<void>;
}

/** A server in front of Temporal that hands on every call, and can keep the end of a workflow task for a while. */
export async function startHolding(address: string): Promise<Holding> {
  const wishes = new Map<string, Wish>();
  const owners = new TaskOwners();

  const answer: Answer = async ({ method, request }, forward) => {
    if (method === 'PollWorkflowTaskQueue') {
      const reply = await forward();
      owners.note(service.PollWorkflowTaskQueueResponse.decode(reply));
      return reply;
    }
    if (method !== END) return forward();
    const { taskToken } = service.RespondWorkflowTaskCompletedRequest.decode(request);
    const workflowId = owners.of(taskToken);
    const wish = wishes.get(workflowId);
    wishes.delete(workflowId);
    wish?.decided();
    await wish?.isLetGo;
    const reply = await forward();
    const { workflowTask } = service.RespondWorkflowTaskCompletedResponse.decode(reply);
    if (workflowTask) owners.note(workflowTask);
    return reply;
  };

  const front = await startFront(address, answer);
  return {
    connection: front.connection,
    hold(workflowId) {
      let letGo = (): void => undefined;
      const isLetGo = new Promise<void>((resolve) => {
        letGo = resolve;
      });
      const decided = new Promise<void>((resolve) => {
        wishes.set(workflowId, { decided: resolve, isLetGo });
      });
      return { decided, letGo };
    },
    async close() {
      assert.deepEqual([...wishes.keys()], [], 'no task came that was to be held');
      await front.close();
    },
  };
}
