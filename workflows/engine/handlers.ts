import { ApplicationFailure, CancellationScope, log, setHandler } from '@temporalio/workflow';
import type { SignalDefinition, UpdateDefinition } from '@temporalio/common';
import type { ErrorCode } from '../../contracts/constants/errors.js';
import type { Refusal, Ruling } from '../../contracts/problem.js';
import type { NextInstant } from './run.js';
import { timersAreSet } from './sender.js';
import { judgeSpace } from './space.js';

/**
 * Turns a refusal into what an Update's validator throws: an ApplicationFailure whose type is the
 * error code and whose first detail is the refusal. Nothing else may throw.
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

/** Refuses while a run hands over to the next; the gateway sends the same request again. */
export function refuseMoving(moving: boolean): void {
  const code: ErrorCode = 'moving';
  if (moving) throw failureOf({ code, detail: 'The workflow continues in a new run.' });
}

/** For a malformed Signal, which is dropped: it has no validator, and everyone who can reach Temporal can send one. */
export function logMalformed({ name }: { readonly name: string }): void {
  log.warn('signal_malformed', { signal: name });
}

/** Returns a handler that takes only the well-formed messages of a Signal. */
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

/** Takes a Signal in, if it is well-formed. */
export function onSignal<Sent, Taken extends Sent = Sent>(
  signal: SignalDefinition<[Sent]>,
  isWellFormed: ((message: unknown) => message is Taken) | ((message: unknown) => boolean),
  take: (message: Taken) => void,
): void {
  setHandler(signal, wellFormed(signal, isWellFormed, take));
}

/** What takes writes, as far as the handlers of Updates need to know it. */
interface Writable {
  /** Whether the run is to hand over, or does so. */
  readonly takesNoWrites: boolean;
  readonly over: boolean;
  readonly nextInstant: NextInstant;
  settleDue(): void;
}

/**
 * Takes an Update in: `check` refuses it before it leaves a trace, `write` applies it. A run that is to hand over
 * refuses every Update, and what is due by now takes effect before the write. To a sender of another space there is
 * nothing to write to. The description is read in the Temporal UI.
 */
export function onWrite<Input, Result>(
  entity: Writable,
  update: UpdateDefinition<Result, [Input]>,
  description: string,
  check: (input: Input) => void,
  write: (input: Input) => Result | Promise<Result>,
): void {
  const handler = (input: Input): Result | Promise<Result> => {
    entity.settleDue();
    const { paused = false } = entity.nextInstant;
    const result = write(input);
    return paused ? afterPause(entity, result) : result;
  };
  const validator = (input: Input): void => {
    demand(judgeSpace(input));
    refuseMoving(entity.takesNoWrites);
    check(input);
  };
  setHandler(update, handler as never, { validator, description } as never);
}

/** Lets the clock of an entity that goes on set its timer before the Update completes. */
async function afterPause<Result>(
  entity: Writable,
  write: Result | Promise<Result>,
): Promise<Result> {
  const result = await write;
  if (!entity.over && !entity.nextInstant.paused) await timersAreSet();
  return result;
}

/** A write that waits for something: a cancellation of the workflow does not stop it half-way. */
export function uncancelled<Input, Result>(
  write: (input: Input) => Promise<Result>,
): (input: Input) => Promise<Result> {
  return (input) => CancellationScope.nonCancellable(() => write(input));
}
