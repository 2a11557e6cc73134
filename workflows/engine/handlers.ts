import { ApplicationFailure, CancellationScope, log, setHandler } from '@temporalio/workflow';
import type { SignalDefinition, UpdateDefinition } from '@temporalio/common';
import type { ErrorCode } from '../../contracts/constants/errors.js';
import type { Refusal, Ruling } from '../../contracts/problem.js';

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

/** Takes a Signal in. A Signal has no validator: one that is not formed as it must be is logged and dropped. */
export function onSignal<Sent, Taken extends Sent = Sent>(
  signal: SignalDefinition<[Sent]>,
  isWellFormed: ((message: unknown) => message is Taken) | ((message: unknown) => boolean),
  take: (message: Taken) => void,
): void {
  setHandler(signal, (message) => {
    if (isWellFormed(message)) take(message as Taken);
    else log.warn('signal_malformed', { signal: signal.name });
  });
}

/** What takes writes, as far as the handlers of Updates need to know it. */
interface Writable {
  /** Whether the run is to hand over, or does so. */
  readonly takesNoWrites: boolean;
  settleDue(): void;
}

/**
 * Takes an Update in: `check` refuses it before it leaves a trace, `write` applies it. A run that is to hand over
 * refuses every Update, and what is due by now takes effect before the write.
 */
export function onWrite<Input, Result>(
  entity: Writable,
  update: UpdateDefinition<Result, [Input]>,
  check: (input: Input) => void,
  write: (input: Input) => Result | Promise<Result>,
): void {
  const handler = (input: Input): Result | Promise<Result> => {
    entity.settleDue();
    return write(input);
  };
  const validator = (input: Input): void => {
    refuseMoving(entity.takesNoWrites);
    check(input);
  };
  setHandler(update, handler as never, { validator } as never);
}

/** A write that waits for something: a cancellation of the workflow does not stop it half-way. */
export function uncancelled<Input, Result>(
  write: (input: Input) => Promise<Result>,
): (input: Input) => Promise<Result> {
  return (input) => CancellationScope.nonCancellable(() => write(input));
}
