import { ApplicationFailure, CancellationScope, log, setHandler } from '@temporalio/workflow';
import type { SignalDefinition, UpdateDefinition } from '@temporalio/common';
import type { ErrorCode } from '../../contracts/constants/errors.js';
import type { Refusal, Ruling } from '../../contracts/problem.js';
import type { Once, Repeatable, Under } from './messages.js';
import type { Repeats } from './repeats.js';
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
  readonly repeats: Repeats;
  settleDue(): void;
}

/**
 * Takes an Update in: `check` refuses it before it leaves a trace, `write` applies it. A run that is to hand over
 * refuses every Update, and what is due by now takes effect before the write. To a sender of another space there is
 * nothing to write to. The description is read in the Temporal UI.
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
 * Takes an Update in that its sender may send again under a key: it is carried out once, and its repeat gets the first
 * result. A repeat is not judged again, for what refuses the write by now does not undo it.
 *
 * @param admit - refuses whoever may send nothing, a repeat too
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
  const known = (once: Once) => demand(repeats.find(ofUpdate(update, once)));
  type Taken = Result | Under<Result>;
  const handler = (sent: Input & Repeatable): Taken | Promise<Taken> => {
    const once = onceOf(sent);
    if (once === undefined) return write(sent);
    const earlier = known(once);
    if (earlier !== undefined) return under(once, earlier.result as Result);
    const own = ofUpdate(update, once);
    repeats.begin(own);
    return kept(repeats, own, write(withoutOnce(sent)));
  };
  const validator = (sent: Input & Repeatable): void => {
    const once = onceOf(sent);
    const input = once === undefined ? sent : withoutOnce(sent);
    admit(input);
    if (once === undefined || known(once) === undefined) check(input);
  };
  setHandler(update, handler as never, { validator, description } as never);
}

/** One request may send several Updates to a workflow, each of its own kind. */
function ofUpdate({ name }: { readonly name: string }, once: Once): Once {
  return { ...once, key: `${name} ${once.key}` };
}

/** Whoever can reach Temporal can send an Update without an argument. */
function onceOf(sent: Repeatable | undefined): Once | undefined {
  return sent?.once;
}

function withoutOnce<Input extends object>({ once: _once, ...input }: Input & Repeatable): Input {
  return input as unknown as Input;
}

function under<Result>({ body_hash }: Once, result: Result): Under<Result> {
  return { body_hash, result };
}

function kept<Result>(
  repeats: Repeats,
  once: Once,
  outcome: Result | Promise<Result>,
): Under<Result> | Promise<Under<Result>> {
  const keep = (result: Result): Under<Result> => {
    repeats.end(once, result);
    return under(once, result);
  };
  return outcome instanceof Promise ? outcome.then(keep) : keep(outcome);
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
