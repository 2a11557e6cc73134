import type { InputBody } from '../../contracts/input-request.js';
import type { JsonObject } from '../../contracts/json.js';
import { failureOf } from '../support/refusals.js';

/**
 * The hooks of an agent: each names an activity that the agent's own worker has, on the task queue of the
 * workflow. It is called with an `InputHookEvent`, at least once (TM-09).
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
export function partOptions(given: InputOptions): { question: JsonObject; hooks: InputHooks } {
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
