import { CancellationScope, log, scheduleActivity } from '@temporalio/workflow';
import type { JsonObject } from '../../contracts/primitives.js';
import type { InputBody, InputHookEvent } from '../../contracts/suspension-requests.js';
import type { SettledRecord, SuspensionRecord } from '../../contracts/suspension.js';
import { askedSuspension, inputResponse } from '../../domain/suspension/view.js';
import { failureOf } from '../engine/handlers.js';

/**
 * The hooks of an agent: each names an activity that the agent's own worker has, on the task queue of the
 * workflow. It is called with an `InputHookEvent`, at least once.
 */
export interface InputHooks {
  /** The question is open (R25-93); again at each reminder that goes out (R26-60). */
  readonly onInputRequested?: string;
  /** An operator answered (R25-94). */
  readonly onInputReceived?: string;
  /** Nobody answered in time, whatever the fallback policy (R25-95). */
  readonly onSuspensionExpired?: string;
}

/** The arguments of `requestInput()` (R25-87) in their wire names; durations in whole seconds. */
export type InputOptions = InputBody & { readonly hooks?: InputHooks };

const HOOKS: readonly string[] = [
  'onInputRequested',
  'onInputReceived',
  'onSuspensionExpired',
] satisfies (keyof InputHooks)[];

function isObject(given: unknown): given is Readonly<Record<string, unknown>> {
  return typeof given === 'object' && given !== null && !Array.isArray(given);
}

/** The options as JSON, as the wire would carry them; undefined where they are none. */
function asJson(given: unknown): JsonObject | undefined {
  try {
    const json: unknown = JSON.parse(JSON.stringify(given));
    return isObject(json) ? (json as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Parts the question, which an activity checks, from the hooks. Throws `invalid_request` for what cannot
 * be sent at all: anything else thrown in a workflow would fail its task again and again.
 */
export function splitOptions(given: InputOptions): { question: JsonObject; hooks: InputHooks } {
  const json = asJson(given);
  if (json === undefined) {
    const detail = 'The options are not an object of JSON values.';
    throw failureOf({ code: 'invalid_request', detail, accepted: 'an object' });
  }
  const { hooks = {}, ...question } = json;
  checkHooks(hooks);
  return { question, hooks };
}

/** Passes the hooks of an agent. Throws `invalid_request`. */
export function checkHooks(hooks: unknown): asserts hooks is InputHooks {
  const named = isObject(hooks) ? Object.entries(hooks) : [['', undefined] as const];
  for (const [name, activity] of named) {
    if (HOOKS.includes(name) && typeof activity === 'string' && activity !== '') continue;
    throw failureOf({
      code: 'invalid_request',
      detail: 'A hook is not the name of an activity.',
      field: name === '' ? 'hooks' : `hooks.${name}`,
      accepted: `the name of an activity for one of: ${HOOKS.join(', ')}`,
    });
  }
}

/** A hook that is broken must not hold its agent up for long. */
const HOOK_OPTIONS = {
  startToCloseTimeout: '10 seconds',
  scheduleToCloseTimeout: '30 seconds',
  retry: { initialInterval: '1 second', maximumAttempts: 3 },
} as const;

/**
 * The calls of one question's hooks, in the order of what happened: activities on the agent's own task
 * queue. One that fails for good is logged and changes nothing else.
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
