import { CancellationScope, log, scheduleActivity } from '@temporalio/workflow';
import type { PauseInputBody } from '../../contracts/suspension/pause-requests.js';
import type { InputBody, InputHookEvent } from '../../contracts/suspension/requests.js';
import type { SettledRecord, SuspensionRecord } from '../../contracts/suspension/suspension.js';
import { askedSuspension, inputResponse } from '../../domain/suspension/record/view.js';

/**
 * The hooks of an agent: each names an activity of the agent's own worker, on the task queue of the workflow. It is
 * called with an `InputHookEvent`, at least once.
 */
export interface InputHooks {
  /** Called when the question opens (R25-93), and again at each reminder (R26-60). */
  readonly onInputRequested?: string;
  /** Called when an operator has answered (R25-94). */
  readonly onInputReceived?: string;
  /** Called when nobody answered in time, whatever the fallback policy (R25-95). */
  readonly onSuspensionExpired?: string;
}

/** The arguments of `requestInput()` (R25-87) in their wire names; durations in whole seconds. */
export type InputOptions = InputBody & InSpace & { readonly hooks?: InputHooks };

/** The arguments of `pause()` in their wire names; durations in whole seconds. */
export type PauseOptions = PauseInputBody & InSpace;

export interface InSpace {
  /** The space whose operators answer; by default `default`. */
  readonly space?: string;
}

/** A broken hook must not delay its agent for long. */
const HOOK_OPTIONS = {
  startToCloseTimeout: '10 seconds',
  scheduleToCloseTimeout: '30 seconds',
  retry: { initialInterval: '1 second', maximumAttempts: 3 },
} as const;

/** Calls one question's hooks, in order, as activities on the agent's own task queue. A final failure is only logged. */
export class HookCalls {
  readonly hooks: InputHooks;
  private readonly running: Promise<void>[] = [];

  constructor(hooks: InputHooks) {
    this.hooks = hooks;
  }

  requested(record: SuspensionRecord, attempt: number): void {
    this.call('onInputRequested', record, attempt);
  }

  received(record: SettledRecord, attempt: number): void {
    this.call('onInputReceived', record, attempt, { response: inputResponse(record) });
  }

  expired(record: SettledRecord, attempt: number): void {
    this.call('onSuspensionExpired', record, attempt);
  }

  /** Resolves when each call has ended, at most half a minute after it began. */
  async finished(): Promise<void> {
    await Promise.all(this.running);
  }

  private call(
    hook: keyof InputHooks,
    record: SuspensionRecord,
    attempt: number,
    more: Pick<InputHookEvent, 'response'> = {},
  ): void {
    const activity = this.hooks[hook];
    if (activity === undefined) return;
    const event: InputHookEvent = {
      idempotency_key: `${record.id}:${attempt}:${hook}`,
      suspension: askedSuspension(record, attempt),
      ...more,
    };
    const options = { ...HOOK_OPTIONS, summary: `${hook}, attempt ${attempt}` };
    const run = CancellationScope.nonCancellable(() =>
      scheduleActivity<unknown>(activity, [event], options),
    );
    // The results of hooks are ignored.
    const nothing = (): void => undefined;
    this.running.push(run.then(nothing, (error: unknown) => failed(hook, error)));
  }
}

function failed(hook: string, error: unknown): void {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  log.warn('input_hook_failed', {
    hook,
    reason: cause instanceof Error ? cause.message : 'unknown',
  });
}
