import proto from '@temporalio/proto';
import assert from 'node:assert/strict';
import { startFront } from './front.js';
import type { Answer, Front } from './front.js';

const service = proto.temporal.api.workflowservice.v1;
const END = 'RespondWorkflowTaskCompleted';

type Token = Uint8Array | null | undefined;

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
  const workflowsByToken = new Map<string, string>();

  /** Remembers whose task a worker got. */
  function note(task: proto.temporal.api.workflowservice.v1.IPollWorkflowTaskQueueResponse): void {
    const { workflowId } = task.workflowExecution ?? {};
    if (workflowId) workflowsByToken.set(keyOf(task.taskToken), workflowId);
  }

  const answer: Answer = async ({ method, request }, forward) => {
    if (method === 'PollWorkflowTaskQueue') {
      const reply = await forward();
      note(service.PollWorkflowTaskQueueResponse.decode(reply));
      return reply;
    }
    if (method !== END) return forward();
    const { taskToken } = service.RespondWorkflowTaskCompletedRequest.decode(request);
    const workflowId = workflowsByToken.get(keyOf(taskToken)) ?? '';
    const wish = wishes.get(workflowId);
    wishes.delete(workflowId);
    wish?.decided();
    await wish?.isLetGo;
    const reply = await forward();
    const { workflowTask } = service.RespondWorkflowTaskCompletedResponse.decode(reply);
    if (workflowTask) note(workflowTask);
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

function keyOf(taskToken: Token): string {
  return Buffer.from(taskToken ?? []).toString('base64');
}
