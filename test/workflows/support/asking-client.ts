import { QueryNotRegisteredError, WorkflowClient, isGrpcServiceError } from '@temporalio/client';
import type {
  WorkflowClientInterceptor,
  WorkflowResultOptions,
  WorkflowStartUpdateOutput,
} from '@temporalio/client';
import type { ConnectionLike } from '@temporalio/client';
import { WorkflowNotFoundError } from '@temporalio/common';
import type { Workflow, WorkflowResultType } from '@temporalio/common';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

/** The gRPC code of what the server does not have. */
const NOT_FOUND = 5;

const LOST_MS = 5_000;
const LOST = Symbol('without an answer');
/** So often the same is asked, before it counts as a failure. */
const MOST = 100;

/** The answer of a call, or LOST after five seconds. */
async function answerOf<T>(call: Promise<T>): Promise<T | typeof LOST> {
  // One that is lost fails when its connection is closed.
  call.catch(() => undefined);
  return Promise.race([call, pause(LOST_MS, LOST, { ref: false })]);
}

/**
 * Asks again, as the API does, where a Query is refused because it comes before the task that brings what has
 * happened, or where it is lost: the time-skipping server never answers one that meets the end of a run.
 */
const askAgain: WorkflowClientInterceptor = {
  async query(input, next) {
    /** The first answer to what was asked so far; no error ends it. */
    let late = new Promise<unknown>(() => undefined);
    for (let asked = 0; asked < MOST; asked += 1) {
      const call = next(input);
      const earlier = late;
      late = Promise.any([earlier, call]);
      try {
        const answer = await answerOf(Promise.race([earlier, call]));
        if (answer !== LOST) return answer;
      } catch (error) {
        if (!(error instanceof QueryNotRegisteredError)) throw error;
        await pause(50);
      }
    }
    throw new Error('No Query was answered.');
  },
};

/**
 * Sends an Update again, under its id, where the server forgot it, which it does if the task that has it is lost with its worker;
 * or where it does not answer. One that takes longer is known by its id, and carried out once; its answer counts when it comes.
 */
async function sentUntilKept(
  updateId: string,
  send: () => Promise<WorkflowStartUpdateOutput>,
): Promise<WorkflowStartUpdateOutput> {
  /** The first answer to what was sent so far; no error ends it. */
  let late = new Promise<WorkflowStartUpdateOutput>(() => undefined);
  for (let sent = 1; ; sent += 1) {
    const call = send();
    const earlier = late;
    late = Promise.any([earlier, call]);
    try {
      const output = await answerOf(Promise.race([earlier, call]));
      if (output !== LOST) return output;
      if (sent >= MOST) throw new Error('No Update was answered.');
    } catch (error) {
      const isForgotten =
        error instanceof WorkflowNotFoundError && error.message === `update ${updateId} not found`;
      if (!isForgotten || sent >= MOST) throw error;
      await pause(50);
    }
  }
}

/** An Update that goes out. */
interface SentUpdate {
  readonly workflowId: string;
  readonly updateId: string;
}

/**
 * A client for the time-skipping server, which loses some of what it is asked. Its `result()` does not move time either:
 * that of the test environment lets the server skip while it waits, if need be ten years on.
 */
export class AskingClient extends WorkflowClient {
  private readonly watchers: ((update: SentUpdate) => void)[];

  /**
   * @param beforeUpdate - awaited before each Update goes to the workflow of that id
   * @param afterUpdate - called once it has been accepted
   */
  constructor(
    connection: ConnectionLike,
    beforeUpdate: (workflowId: string) => Promise<void>,
    afterUpdate: (workflowId: string) => void,
  ) {
    const watchers: ((update: SentUpdate) => void)[] = [];
    const waitFirst: WorkflowClientInterceptor = {
      async startUpdate(input, next) {
        const { workflowId } = input.workflowExecution;
        await beforeUpdate(workflowId);
        const updateId = input.options.updateId ?? randomUUID();
        const options = { ...input.options, updateId };
        for (const watcher of watchers.splice(0)) watcher({ workflowId, updateId });
        const output = await sentUntilKept(updateId, () => next({ ...input, options }));
        afterUpdate(workflowId);
        return output;
      },
    };
    super({ connection, interceptors: [waitFirst, askAgain] });
    this.watchers = watchers;
  }

  /** Resolves with the next Update that goes out. */
  nextUpdate(): Promise<SentUpdate> {
    return new Promise((resolve) => {
      this.watchers.push(resolve);
    });
  }

  /** Whether the server has an Update: it says so once it will give it to a worker. */
  async has({ workflowId, updateId }: SentUpdate): Promise<boolean> {
    const { namespace, identity } = this.options;
    const updateRef = { workflowExecution: { workflowId }, updateId };
    try {
      // Without a stage to wait for, it answers at once.
      const waitPolicy = {};
      await this.workflowService.pollWorkflowExecutionUpdate({
        namespace,
        identity,
        updateRef,
        waitPolicy,
      });
      return true;
    } catch (error) {
      if (isGrpcServiceError(error) && (error.code as number) === NOT_FOUND) return false;
      throw error;
    }
  }

  /**
   * Asks again, and then for the end of the run that is now: the server sometimes keeps the event by which a run continues
   * as new without its type, and never tells whoever waits for the end of that run.
   */
  override async result<T extends Workflow>(
    workflowId: string,
    runId?: string,
    options?: WorkflowResultOptions,
  ): Promise<WorkflowResultType<T>> {
    const runOf = (asked: number) => (asked === 0 ? runId : undefined);
    for (let asked = 0; asked < MOST; asked += 1) {
      const result = await answerOf(super.result<T>(workflowId, runOf(asked), options));
      if (result !== LOST) return result;
    }
    throw new Error('The workflow does not end.');
  }
}
