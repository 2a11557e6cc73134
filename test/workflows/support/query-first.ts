import proto from '@temporalio/proto';
import Long from 'long';
import assert from 'node:assert/strict';
import { startFront, type Answer, type Front } from './front.js';

const service = proto.temporal.api.workflowservice.v1;
const POLL = 'PollWorkflowTaskQueue';
const ANSWER = 'RespondQueryTaskCompleted';

type Task = proto.temporal.api.workflowservice.v1.PollWorkflowTaskQueueResponse;

/** How the worker answered the Query that came before a task. */
export interface EarlyAnswer {
  readonly refused: boolean;
}

/** A task of this workflow. */
export function of(workflowId: string): (task: Task) => boolean {
  return ({ workflowExecution }) => workflowExecution?.workflowId === workflowId;
}

/** A task that brings a question the end of its timer. */
export function ofExpiry({ workflowType, history }: Task): boolean {
  const fired = history?.events?.some(({ timerFiredEventAttributes: event }) => event);
  return workflowType?.name === 'suspension' && fired === true;
}

/** Lets Queries overtake workflow tasks on the way to a worker. */
export interface Overtaking extends Front {
  /**
   * The next task like this is overtaken by this Query; resolves with how the worker answered, once it has. The
   * worker gets the history as it was just before a worker took the task.
   */
  overtake(isMeant: (task: Task) => boolean, queryType: string): Promise<EarlyAnswer>;
}

interface Wish {
  readonly isMeant: (task: Task) => boolean;
  readonly queryType: string;
  readonly answered: (answer: EarlyAnswer) => void;
}

/** What to do once the worker has answered the Query that overtook a task. */
type Answered = (answer: EarlyAnswer) => void;

/**
 * A server in front of Temporal that hands on every call, and can give a worker a Query before a task. With a real
 * server that happens where a Query waits for a worker, an event comes meanwhile, and a new worker gets the Query first.
 */
export async function startOvertaking(address: string): Promise<Overtaking> {
  const wishes: Wish[] = [];
  const early = new Map<string, Answered>();
  /** Tasks that were overtaken: the next poll waits for one, and gets it after the Query. */
  const owed: Promise<Buffer>[] = [];

  /** The task itself, or the Query that overtakes it. */
  function overtaken(reply: Buffer): Buffer {
    const task = service.PollWorkflowTaskQueueResponse.decode(reply);
    const index = task.query ? -1 : wishes.findIndex(({ isMeant }) => isMeant(task));
    const [wish] = index < 0 ? [] : wishes.splice(index, 1);
    if (!wish) return reply;
    const token = `early ${wish.queryType} ${early.size}`;
    const answered = new Promise<EarlyAnswer>((resolve) => early.set(token, resolve));
    owed.push(answered.then(() => reply));
    void answered.then(wish.answered);
    return queryBefore(task, wish.queryType, token);
  }

  const answer: Answer = async ({ method, request }, forward) => {
    if (method === POLL) return owed.shift() ?? overtaken(await forward());
    if (method !== ANSWER) return forward();
    const { taskToken, completedType } = service.RespondQueryTaskCompletedRequest.decode(request);
    const answered = early.get(Buffer.from(taskToken).toString());
    if (!answered) return forward();
    const FAILED = proto.temporal.api.enums.v1.QueryResultType.QUERY_RESULT_TYPE_FAILED;
    answered({ refused: completedType === FAILED });
    return Buffer.alloc(0);
  };

  const front = await startFront(address, answer);
  return {
    connection: front.connection,
    overtake: (isMeant, queryType) =>
      new Promise((answered) => wishes.push({ isMeant, queryType, answered })),
    async close() {
      assert.equal(wishes.length, 0, 'no task came that a Query was to overtake');
      await front.close();
    },
  };
}

/** The Query as a worker gets it, with the events up to the point at which the task was only scheduled. */
function queryBefore({ history, ...task }: Task, queryType: string, token: string): Buffer {
  const events = [...(history?.events ?? [])];
  const started = events.pop();
  assert.ok(started?.workflowTaskStartedEventAttributes, 'the task does not end with its start');
  const early = {
    ...task,
    startedEventId: Long.ZERO,
    history: { events },
    taskToken: Buffer.from(token),
    query: { queryType },
  };
  return Buffer.from(service.PollWorkflowTaskQueueResponse.encode(early).finish());
}
