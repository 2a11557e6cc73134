import { WorkflowExecutionAlreadyStartedError, WorkflowFailedError } from '@temporalio/client';
import type { Client } from '@temporalio/client';
import type {
  QueryDefinition,
  SearchAttributePair,
  SignalDefinition,
  UpdateDefinition,
} from '@temporalio/common';
import { randomUUID } from 'node:crypto';
import { TASK_QUEUE, WORKFLOW_TYPES, inSpaceOf } from '../../../contracts/constants/names.js';
import type { WorkflowType } from '../../../contracts/constants/names.js';
import { summaryOf } from '../../../domain/kernel/text.js';
import { spaceAttribute } from '../../../workflows/engine/search-attributes.js';
import { writeUnavailable } from '../refusals.js';
import { Admission } from './admission.js';
import { callTemporal, outcomeOf } from './call.js';
import type { Outcome } from './call.js';
import { createFence } from './fence.js';
import { firstOf, idUnder, onceOf } from './keyed-update.js';
import { currentRequest } from './request.js';
import { DeadlinePassed, READ_MS, WRITE_MS, limitOf, withinDeadline } from './deadline.js';
import type { Clock } from './deadline.js';
import { WorkerSilence, isPassing, mayAnswerSoon, mayTakeSignalSoon } from './failures.js';
import { Queues, Rounds } from './queues.js';

/** A workflow to be started under an id that no other has, or had for as long as Temporal keeps it. */
interface Opening {
  readonly workflowId: string;
  readonly input: object;
  /** What people read in the Temporal UI; shortened to fit. */
  readonly summary: string;
  readonly attributes: SearchAttributePair[];
}

type TemporalClient = Pick<Client, 'workflow' | 'withDeadline' | 'withAbortSignal'>;

/** Everything the gateway asks of workflows; one per process, for the queues of queries are in it. */
export type Temporal = ReturnType<typeof createTemporal>;

/**
 * @param workerSilence - takes note of calls that no worker answered
 * @param admission - lets Updates and starts in; one per process
 */
export function createTemporal(
  client: TemporalClient,
  clock: Clock,
  workerSilence = new WorkerSilence(),
  admission = new Admission(clock),
) {
  return {
    query: createQuery(client, clock, workerSilence),
    update: createUpdate(client, clock, workerSilence, admission),
    start: createStart(client, clock, admission),
    signal: createSignal(client, clock),
    result: createResult(client, clock),
    told: createFence(client, clock),
  };
}

/**
 * The same inside one space. Modules name workflows as in the default space, and here each name becomes that of the
 * space: whatever id a request holds, the workflow of another space cannot be reached with it.
 */
export function temporalIn(
  { query, update, start, signal, result, told }: Temporal,
  space: string,
): Temporal {
  const here = (workflowId: string) => inSpaceOf(workflowId, space);
  return {
    query: (workflowId, definition) => query(here(workflowId), definition),
    update: (workflowId, definition, argument, updateId) =>
      update(here(workflowId), definition, argument, updateId),
    start: (type, opening) =>
      start(type, {
        ...opening,
        workflowId: here(opening.workflowId),
        attributes: [spaceAttribute(space), ...opening.attributes],
      }),
    signal: (workflowId, definition, args, ms) => signal(here(workflowId), definition, args, ms),
    result: (workflowId, ms) => result(here(workflowId), ms),
    // The parent is named by its child, as Temporal has it.
    told: (parent, child) => told(parent, here(child)),
  };
}

/**
 * Asks a workflow, open or closed, and waits at most 2 s. A workflow is asked one thing at a time; who
 * asks the same meanwhile shares the next answer. Throws what is neither a missing workflow nor a
 * passing failure.
 */
function createQuery(client: TemporalClient, clock: Clock, workerSilence: WorkerSilence) {
  const queues = new Queues(1);
  const rounds = new Rounds();

  async function ask<R>(workflowId: string, definition: QueryDefinition<R>): Promise<R> {
    const handle = client.workflow.getHandle(workflowId);
    return callTemporal(client, clock, {
      ms: limitOf(clock, 'worker', READ_MS),
      queue: { of: queues, key: workflowId },
      retryOn: mayAnswerSoon,
      rpc: () => handle.query(definition),
    });
  }

  return async <R>(workflowId: string, definition: QueryDefinition<R>): Promise<Outcome<R>> => {
    const began = clock.now();
    const key = `${workflowId} ${definition.name}`;
    const shared = () => rounds.join(key, () => ask(workflowId, definition));
    // The call that is shared may begin later than this caller's time does.
    const answer = withinDeadline(clock, limitOf(clock, 'worker', READ_MS), shared);
    return outcomeOf(answer, () => workerSilence.note(began));
  };
}

/**
 * Sends an Update in its turn and waits for its result, 10 s in all from its admission on. What passes (`moving`, a
 * run that closes, an overloaded or absent server) is tried again under the same update id, so nothing doubles
 * within a run. An Update of a request with an Idempotency-Key has the same id each time. Throws RefusalError if the workflow refuses, and `busy`.
 */
function createUpdate(
  client: TemporalClient,
  clock: Clock,
  workerSilence: WorkerSilence,
  admission: Admission,
) {
  return async <R, A>(
    workflowId: string,
    definition: UpdateDefinition<R, [A]>,
    argument: A,
    updateId?: string,
  ): Promise<Outcome<R>> => {
    const handle = client.workflow.getHandle(workflowId);
    // One without an argument waits, and changes nothing; one with an id has a key of its own.
    const isKeyed = updateId === undefined && argument !== undefined;
    const keyed = isKeyed ? currentRequest()?.keyed : undefined;
    if (keyed === undefined) return send({ args: [argument], updateId: updateId ?? randomUUID() });
    const once = onceOf(keyed);
    const options = { args: [{ ...argument, once }] as [A], updateId: idUnder(once, definition) };
    return firstOf(await send(options), once);

    async function send<T>(options: { args: [A]; updateId: string }): Promise<Outcome<T>> {
      const rpc = () => handle.executeUpdate(definition, options) as Promise<unknown> as Promise<T>;
      return admission.run(workflowId, () => {
        const began = clock.now();
        const ms = limitOf(clock, 'worker', WRITE_MS);
        const result = callTemporal(client, clock, { ms, retryOn: isPassing, rpc });
        return outcomeOf(result, () => workerSilence.note(began));
      });
    }
  };
}

/**
 * Starts a workflow on Holdpoint's task queue, in its turn. Throws `workflow_unavailable` 10 s after its admission; the
 * workflow may then exist all the same. Throws `busy` if it was not admitted.
 */
function createStart(client: TemporalClient, clock: Clock, admission: Admission) {
  return async (type: WorkflowType, opening: Opening): Promise<'started' | 'exists'> => {
    const options = {
      workflowId: opening.workflowId,
      taskQueue: TASK_QUEUE,
      args: [opening.input],
      workflowIdReusePolicy: 'REJECT_DUPLICATE' as const,
      staticSummary: summaryOf(opening.summary),
      typedSearchAttributes: opening.attributes,
    };
    try {
      const rpc = () => client.workflow.start(WORKFLOW_TYPES[type], options);
      const ms = limitOf(clock, 'servers', WRITE_MS);
      await admission.run(undefined, () =>
        callTemporal(client, clock, { ms, retryOn: isPassing, rpc }),
      );
      return 'started';
    } catch (error) {
      if (error instanceof WorkflowExecutionAlreadyStartedError) return 'exists';
      throw error instanceof DeadlinePassed ? writeUnavailable() : error;
    }
  };
}

/**
 * Sends a Signal. It needs no worker and waits in no queue, so that it gets through where Updates wait
 * in vain. Throws `workflow_unavailable` where Temporal does not take it within `ms`.
 */
function createSignal(client: TemporalClient, clock: Clock) {
  return async <A extends readonly unknown[]>(
    workflowId: string,
    definition: SignalDefinition<[...A]>,
    args: readonly [...A],
    ms = WRITE_MS,
  ): Promise<'sent' | 'gone'> => {
    const handle = client.workflow.getHandle(workflowId);
    const outcome = await outcomeOf(
      callTemporal(client, clock, {
        ms: limitOf(clock, 'servers', ms),
        retryOn: mayTakeSignalSoon,
        rpc: () => handle.signal(definition, ...args),
      }),
    );
    if (outcome.kind === 'no_answer') throw writeUnavailable();
    return outcome.kind === 'gone' ? 'gone' : 'sent';
  };
}

/** What a workflow returns, if it completes within `ms`; it is `gone` also where it ended in another way. */
function createResult(client: TemporalClient, clock: Clock) {
  return async <R>(workflowId: string, ms: number): Promise<Outcome<R>> => {
    const rpc = () => client.workflow.result<() => Promise<R>>(workflowId);
    try {
      const limits = { ms: limitOf(clock, 'servers', ms), retryOn: isPassing };
      return await outcomeOf(callTemporal(client, clock, { ...limits, rpc }));
    } catch (error) {
      if (error instanceof WorkflowFailedError) return { kind: 'gone' };
      throw error;
    }
  };
}
