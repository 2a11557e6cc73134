import { WorkflowFailedError } from '@temporalio/client';
import type { QueryDefinition, SignalDefinition, UpdateDefinition } from '@temporalio/common';
import { randomUUID } from 'node:crypto';
import { DEFAULT_SPACE } from '../../../contracts/constants/callers.js';
import { defined } from '../../../contracts/constants/defined.js';
import { inSpaceOf } from '../../../contracts/constants/names.js';
import { writeUnavailable } from '../refusals.js';
import { Admission } from './admission.js';
import { callTemporal, outcomeOf } from './call.js';
import type { Outcome } from './call.js';
import { createFence } from './fence.js';
import { firstOf, idUnder, onceOf } from './keyed-update.js';
import { inTurn } from './in-turn.js';
import type { Shared, TemporalClient, To, Turn } from './in-turn.js';
import { createBegin, createOpen, createStart } from './opening.js';
import { currentRequest } from './request.js';
import { READ_MS, WRITE_MS, limitOf, withinDeadline } from './deadline.js';
import type { Clock } from './deadline.js';
import { WorkerSilence, isPassing, mayAnswerSoon, mayTakeSignalSoon } from './failures.js';
import { Queues, Rounds } from './queues.js';

/** Options of a client for the API: a workflow that was ended from outside answers for ever as if it ran, and is not asked. */
export const OF_THE_API = { workflow: { queryRejectCondition: 'NOT_COMPLETED_CLEANLY' } } as const;

/** The API's calls to the workflows of one space. */
export type Temporal = ReturnType<typeof createTemporal>;

/**
 * Calls the workflows of one space. Modules name workflows as in the default space, and here each name becomes that of the
 * space: whatever id a request holds, the workflow of another space cannot be reached with it.
 */
export function createTemporal(
  client: TemporalClient,
  clock: Clock,
  space: string = DEFAULT_SPACE,
  { workerSilence = new WorkerSilence(), admission = new Admission(clock) }: Shared = {},
) {
  const to = { client, clock, space, workerSilence, admission };
  return {
    query: createQuery(to),
    update: createUpdate(to),
    start: createStart(to),
    open: createOpen(to),
    begin: createBegin(to),
    signal: createSignal(to),
    result: createResult(to),
    ...createFence(to),
  };
}

/**
 * Asks a workflow, open or closed, and waits at most 2 s. A workflow is asked one thing at a time; who
 * asks the same meanwhile shares the next answer. Throws what is neither a missing workflow nor a
 * passing failure.
 */
function createQuery({ client, clock, space, workerSilence }: To) {
  const queues = new Queues(1);
  const rounds = new Rounds();

  async function ask<R, Args extends unknown[]>(
    workflowId: string,
    definition: QueryDefinition<R, Args>,
    args: Args | [],
  ): Promise<R> {
    const handle = client.workflow.getHandle(workflowId);
    return callTemporal(client, clock, {
      ms: limitOf(clock, 'worker', READ_MS),
      queue: { of: queues, key: workflowId },
      retryOn: mayAnswerSoon,
      rpc: () => handle.query<R, Args>(definition, ...(args as Args)),
    });
  }

  return async <R, Args extends (string | undefined)[] = []>(
    named: string,
    definition: QueryDefinition<R, Args>,
    args: Args | [] = [],
  ): Promise<Outcome<R>> => {
    const workflowId = inSpaceOf(named, space);
    const began = clock.now();
    const key = [workflowId, definition.name, ...args].join(' ');
    const shared = () => rounds.join(key, () => ask(workflowId, definition, args));
    // The call that is shared may begin later than this caller's time does.
    const answer = withinDeadline(clock, limitOf(clock, 'worker', READ_MS), shared);
    return outcomeOf(answer, () => workerSilence.note(began));
  };
}

/** How an Update is sent that has an id of its own; one without is carried out once under the key of its request. */
export interface Sending<R> extends Pick<Turn<R>, 'isAnswer' | 'leadsTo'> {
  readonly updateId?: string;
}

/**
 * Sends an Update in its turn and waits for its result, 10 s in all from its admission on. What passes (`moving`, a
 * run that closes, an overloaded or absent server) is tried again under the same update id, so nothing doubles
 * within a run. An Update of a request with an Idempotency-Key has the same id each time. Throws RefusalError if the workflow refuses, and `busy`.
 */
function createUpdate(to: To) {
  const { client, space } = to;
  return async <R, A>(
    named: string,
    definition: UpdateDefinition<R, [A]>,
    argument: A,
    { updateId, isAnswer, leadsTo }: Sending<R> = {},
  ): Promise<Outcome<R>> => {
    const workflowId = inSpaceOf(named, space);
    const handle = client.workflow.getHandle(workflowId);
    // One without an argument waits, and changes nothing; one with an id has a key of its own.
    const isKeyed = updateId === undefined && argument !== undefined;
    const keyed = isKeyed ? currentRequest()?.keyed : undefined;
    if (keyed === undefined) {
      const options = { args: [argument] as [A], updateId: updateId ?? randomUUID() };
      return send<R>(options, { ...defined({ isAnswer, leadsTo }) });
    }
    const once = onceOf(keyed);
    const options = { args: [{ ...argument, once }] as [A], updateId: idUnder(once, definition) };
    return firstOf(await send(options), once);

    async function send<T>(
      options: { args: [A]; updateId: string },
      more: Omit<Sending<T>, 'updateId'> = {},
    ): Promise<Outcome<T>> {
      const rpc = () => handle.executeUpdate(definition, options) as Promise<unknown> as Promise<T>;
      return inTurn(to, { workflowId, rpc, ...more });
    }
  };
}

/**
 * Sends a Signal. It needs no worker and waits in no queue, so that it gets through where Updates wait
 * in vain. Throws `workflow_unavailable` where Temporal does not take it within `ms`.
 */
function createSignal({ client, clock, space }: To) {
  return async <A extends readonly unknown[]>(
    workflowId: string,
    definition: SignalDefinition<[...A]>,
    args: readonly [...A],
    ms = WRITE_MS,
  ): Promise<'sent' | 'gone'> => {
    const handle = client.workflow.getHandle(inSpaceOf(workflowId, space));
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

/** Returns the result of a workflow that completes within `ms`; it is `gone` also if it ended in another way. */
function createResult({ client, clock, space }: To) {
  return async <R>(workflowId: string, ms: number): Promise<Outcome<R>> => {
    const rpc = () => client.workflow.result<() => Promise<R>>(inSpaceOf(workflowId, space));
    try {
      const limits = { ms: limitOf(clock, 'servers', ms), retryOn: isPassing };
      return await outcomeOf(callTemporal(client, clock, { ...limits, rpc }));
    } catch (error) {
      if (error instanceof WorkflowFailedError) return { kind: 'gone' };
      throw error;
    }
  };
}
