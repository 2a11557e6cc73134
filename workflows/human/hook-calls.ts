import { CancellationScope, log, scheduleActivity } from '@temporalio/workflow';
import type { InputHookEvent } from '../../contracts/hooks.js';
import type { SettledRecord, SuspensionRecord } from '../../contracts/suspension.js';
import { askedSuspension, inputResponse } from '../../domain/asked-suspension.js';
import type { InputHooks } from './options.js';

/** A hook that is broken must not hold its agent up for long. */
const HOOK_OPTIONS = {
  startToCloseTimeout: '10 seconds',
  scheduleToCloseTimeout: '30 seconds',
  retry: { initialInterval: '1 second', maximumAttempts: 3 },
} as const;

/**
 * The calls of one question's hooks, in the order of what happened: activities on the agent's own task
 * queue. One that fails for good is logged and changes nothing else (TM-09).
 */
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
    this.running.push(run.then(nothing, (error: unknown) => failed(hook, error)));
  }
}

function nothing(): void {
  // What a hook returns is nobody's.
}

function failed(hook: string, error: unknown): void {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  log.warn('input_hook_failed', {
    hook,
    reason: cause instanceof Error ? cause.message : 'unknown',
  });
}
