import { inSpaceOf } from '../../../contracts/constants/names.js';
import { Queues, Rounds, callTemporal, outcomeOf, type Outcome } from './call.js';
import {
  READ_MS,
  WRITE_MS,
  inScope,
  limitOf,
  untilSo,
  withinDeadline,
  type Clock,
} from './deadline.js';
import type { JsonObject } from '../../../contracts/kernel/primitives.js';
import { hashJson, sha256Hex } from '../../../domain/kernel/hashing.js';
import type { Once, Under } from '../../../workflows/engine/messages.js';
import { idempotencyKeyReused, writeUnavailable } from '../refusals.js';
import { WorkflowFailedError, type Client } from '@temporalio/client';
import type { QueryDefinition, SignalDefinition, UpdateDefinition } from '@temporalio/common';
import { randomUUID } from 'node:crypto';
import { DEFAULT_SPACE } from '../../../contracts/constants/callers.js';
import { defined } from '../../../contracts/constants/defined.js';
import { Admission } from './admission.js';
import { inTurn, type Shared, type TemporalClient, type To, type Turn } from './in-turn.js';
import { createBegin, createOpen, createStart } from './opening.js';
import { currentRequest, type KeyedWrite } from './request.js';
import { WorkerSilence, isPassing, mayAnswerSoon, mayTakeSignalSoon } from './failures.js';

interface Fenced {
  readonly client: Pick<Client, 'workflow' | 'withDeadline' | 'withAbortSignal'>;
  readonly clock: Clock;
  readonly space: string;
}

/** How much of a longer wait is added to the time that parents usually take. A shorter one counts at once. */
const WEIGHT = 0.1;

/**
 * Waits until a workflow knows that its child is over, so that later reads show how the child ended. It polls
 * Temporal, once for all callers, and resolves also if nobody answers.
 */
export function createFence({ client, clock, space }: Fenced) {
  /** The polls under way, by parent and child. */
  const looking = new Map<string, Promise<Outcome<void>>>();
  /** Milliseconds that parents take, at least, as it was lately. */
  let usualMs = 0;

  async function poll(isTold: () => Promise<boolean>): Promise<void> {
    const began = clock.now();
    await withinDeadline(clock, limitOf(clock, 'worker', WRITE_MS), (scope) =>
      untilSo(clock, scope.signal, () => inScope(client, scope, isTold), usualMs),
    );
    const ms = clock.now() - began;
    usualMs = Math.min(ms, usualMs + WEIGHT * (ms - usualMs));
  }

  function look(workflowId: string, child: string): Promise<Outcome<void>> {
    const childId = inSpaceOf(child, space);
    const key = JSON.stringify([workflowId, childId]);
    const shared = looking.get(key);
    if (shared) return shared;
    // The parent is named by its child, as Temporal has it.
    const handle = client.workflow.getHandle(workflowId);
    const isTold = async (): Promise<boolean> => {
      const { raw } = await handle.describe();
      return !raw.pendingChildren?.some((one) => one.workflowId === childId);
    };
    const looks = outcomeOf(poll(isTold)).finally(() => looking.delete(key));
    looking.set(key, looks);
    return looks;
  }

  return {
    /** Waits at most 2 s, and returns whether it knows. Throws what Temporal refuses for no known reason. */
    async told(workflowId: string, child: string): Promise<boolean> {
      const ms = limitOf(clock, 'worker', READ_MS);
      const looked = await outcomeOf(withinDeadline(clock, ms, () => look(workflowId, child)));
      return looked.kind === 'done' && looked.value.kind === 'done';
    },

    /** Waits at most 10 s. Throws what `told` throws. */
    taken: look,
  };
}

/** 128 bits of a hash. */
const HASH_CHARACTERS = 32;

/** Returns the mark by which the Updates of a repeated request are recognised. */
function onceOf({ key, write, body }: KeyedWrite): Once {
  // Absent and undefined are the same to JSON.
  const sent = JSON.parse(JSON.stringify(body)) as JsonObject;
  return {
    key: sha256Hex(JSON.stringify([...write, key])).slice(0, HASH_CHARACTERS),
    body_hash: hashJson(sent).slice(0, HASH_CHARACTERS),
  };
}

/**
 * Returns the id of an Update under an Idempotency-Key: the same each time, so that Temporal returns the first
 * result.
 */
function idUnder({ key }: Once, { name }: { readonly name: string }): string {
  return `k:${name}:${key}`;
}

/** Returns the first result under a key. Throws `idempotency_key_reused` if it belongs to another body. */
function firstOf<R>(first: Outcome<Under<R>>, { body_hash }: Once): Outcome<R> {
  if (first.kind !== 'done') return first;
  if (first.value.body_hash !== body_hash) throw idempotencyKeyReused();
  return { kind: 'done', value: first.value.result };
}

/**
 * Options of the API's client: a workflow that was terminated is not asked, because it would answer for ever as if it
 * ran.
 */
export const OF_THE_API = { workflow: { queryRejectCondition: 'NOT_COMPLETED_CLEANLY' } } as const;

export type Temporal = ReturnType<typeof createTemporal>;

/**
 * Calls the workflows of one space. Modules name workflows as in the default space, and each name is mapped to the
 * space here, so that no id in a request reaches the workflow of another space.
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
 * Asks a workflow, open or closed, and waits at most 2 s; concurrent callers of one question share an answer. Throws
 * what is neither a missing workflow nor a passing failure.
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

/** How an Update with an id of its own is sent; one without is carried out once under the key of its request. */
export interface Sending<R> extends Pick<Turn<R>, 'isAnswer' | 'leadsTo'> {
  readonly updateId?: string;
}

/**
 * Sends an Update in its turn and waits for its result, 10 s in all after its admission. Temporary failures are
 * retried under the same update id, so nothing doubles within a run. Throws RefusalError if the workflow refuses, and
 * `busy`.
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
 * Sends a Signal. It needs no worker and waits in no queue, so it arrives where Updates wait in vain. Throws
 * `workflow_unavailable` if Temporal does not take it within `ms`.
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
