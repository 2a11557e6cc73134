import { ApplicationFailure, CancellationScope, log, setHandler } from '@temporalio/workflow';
import type { SignalDefinition, UpdateDefinition } from '@temporalio/common';
import type { ErrorCode } from '../../contracts/constants/errors.js';
import type { Refusal, Ruling } from '../../contracts/kernel/problem.js';
import type { Once, Repeatable, Under } from './messages.js';
import type { Repeats } from './repeats.js';
import type { NextInstant } from './run.js';
import { timersAreSet } from './sender.js';
import { judgeSpace } from './space.js';
import { takingUpdate } from './task-mark.js';

/**
 * Converts a refusal into the error of an Update's validator: an ApplicationFailure whose type is the error code and
 * whose first detail is the refusal. A validator must throw nothing else.
 */
export function failureOf(refusal: Refusal): ApplicationFailure {
  return ApplicationFailure.create({
    type: refusal.code,
    message: refusal.detail,
    nonRetryable: true,
    details: [refusal],
  });
}

/** The value of a ruling; throws its refusal. For validators, and for handlers behind one. */
export function demand<T>(ruling: Ruling<T>): T {
  if (!ruling.ok) throw failureOf(ruling.refusal);
  return ruling.value;
}

/** Refuses while a run hands over to the next; the API repeats the request. */
export function refuseMoving(moving: boolean): void {
  const code: ErrorCode = 'moving';
  if (moving) throw failureOf({ code, detail: 'The workflow continues in a new run.' });
}

/**
 * Logs a malformed Signal, which is dropped: Signals have no validator, and everyone with access to Temporal can send
 * one.
 */
export function logMalformed({ name }: { readonly name: string }): void {
  log.warn('signal_malformed', { signal: name });
}

/** Returns a handler that ignores malformed messages of a Signal. */
export function wellFormed<Sent, Taken extends Sent = Sent>(
  signal: SignalDefinition<[Sent]>,
  isWellFormed: ((message: unknown) => message is Taken) | ((message: unknown) => boolean),
  take: (message: Taken) => void,
): (message: unknown) => void {
  return (message) => {
    if (isWellFormed(message)) take(message as Taken);
    else logMalformed(signal);
  };
}

export function onSignal<Sent, Taken extends Sent = Sent>(
  signal: SignalDefinition<[Sent]>,
  isWellFormed: ((message: unknown) => message is Taken) | ((message: unknown) => boolean),
  take: (message: Taken) => void,
): void {
  setHandler(signal, wellFormed(signal, isWellFormed, take));
}

interface Writable {
  /** Whether the run is about to hand over, or does so. */
  readonly takesNoWrites: boolean;
  readonly over: boolean;
  readonly nextInstant: NextInstant;
  readonly repeats: Repeats;
  settleDue(): void;
}

/**
 * Handles an Update: `check` refuses it before it leaves a trace, `write` applies it after everything due. A run
 * about to hand over refuses every Update. For a sender of another space the entity does not exist.
 */
export function onWrite<Input extends object, Result>(
  entity: Writable,
  update: UpdateDefinition<Result, [Input]>,
  description: string,
  check: (input: Input) => void,
  write: (input: Input) => Result | Promise<Result>,
): void {
  onRepeatable(
    entity.repeats,
    update,
    description,
    (input) => {
      demand(judgeSpace(input));
      refuseMoving(entity.takesNoWrites);
    },
    check,
    (input) => {
      entity.settleDue();
      const { paused = false } = entity.nextInstant;
      const result = write(input);
      return paused ? afterPause(entity, result) : result;
    },
  );
}

/**
 * Handles an Update that its sender may repeat under a key: it is carried out once, and a repetition gets the first
 * result, even if the write would be refused by now.
 *
 * @param admit - refuses senders that may send nothing, not even repetitions
 * @param check - refuses the write before it leaves a trace
 */
export function onRepeatable<Input extends object, Result>(
  repeats: Repeats,
  update: UpdateDefinition<Result, [Input]>,
  description: string,
  admit: (input: Input) => void,
  check: (input: Input) => void,
  write: (input: Input) => Result | Promise<Result>,
): void {
  type Taken = Result | Under<Result>;
  const take = (sent: Input & Repeatable): Taken | Promise<Taken> => {
    const { once, input } = parted(sent, update.name);
    if (once === undefined) return write(input);
    const { body_hash } = once;
    const earlier = demand(repeats.find(once));
    if (earlier !== undefined) return { body_hash, result: earlier.result as Result };
    repeats.begin(once);
    const keep = (result: Result): Under<Result> => {
      repeats.end(once, result);
      return { body_hash, result };
    };
    const outcome = write(input);
    return outcome instanceof Promise ? outcome.then(keep) : keep(outcome);
  };
  const validator = (sent: Input & Repeatable): void => {
    const { once, input } = parted(sent, update.name);
    admit(input);
    if (once === undefined || demand(repeats.find(once)) === undefined) check(input);
  };
  const handler = (sent: Input & Repeatable) => takingUpdate(() => take(sent));
  setHandler(update, handler as never, { validator, description } as never);
}

/**
 * Separates the key from the input. One request may send several Updates to a workflow, so the name of each is part
 * of its key.
 */
function parted<Input extends object>(
  sent: Input & Repeatable,
  name: string,
): { readonly once?: Once; readonly input: Input } {
  // Everyone with access to Temporal can send an Update without an argument.
  const { once, ...input } = (sent as (Input & Repeatable) | undefined) ?? {};
  if (once === undefined) return { input: sent };
  return { once: { ...once, key: `${name} ${once.key}` }, input: input as unknown as Input };
}

/** Makes an entity that continues set its timer before the Update completes. */
async function afterPause<Result>(
  entity: Writable,
  write: Result | Promise<Result>,
): Promise<Result> {
  const result = await write;
  if (!entity.over && !entity.nextInstant.paused) await timersAreSet();
  return result;
}

/** Prevents a cancellation of the workflow from stopping a write that waits for something. */
export function uncancelled<Input, Result>(
  write: (input: Input) => Promise<Result>,
): (input: Input) => Promise<Result> {
  return (input) => CancellationScope.nonCancellable(() => write(input));
}
