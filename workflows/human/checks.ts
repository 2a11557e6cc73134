import { DEFAULT_SPACE } from '../../contracts/constants/callers.js';
import { exactJson } from '../../contracts/constants/exact-json.js';
import { LIMITS } from '../../contracts/constants/limits.js';
import type { JsonObject } from '../../contracts/kernel/primitives.js';
import { jsonBytes } from '../../domain/kernel/json.js';
import { isObject } from '../../domain/kernel/message-form.js';
import { failureOf } from '../engine/handlers.js';
import type { InputHooks, InputOptions, PauseOptions } from './hooks.js';

const HOOKS: readonly string[] = [
  'onInputRequested',
  'onInputReceived',
  'onSuspensionExpired',
] satisfies (keyof InputHooks)[];

/** The options as JSON, as HTTP would carry them; undefined if they are no object of JSON values. */
function asJson(options: unknown): JsonObject | undefined {
  try {
    const json: unknown = JSON.parse(exactJson(options));
    return isObject(json) ? (json as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Separates the question, which an activity checks, from the hooks and the space. Throws `invalid_request` for what is not JSON,
 * and `body_too_large` as HTTP does: Temporal would end the workflow for it.
 */
export function splitOptions(options: InputOptions | PauseOptions): {
  question: JsonObject;
  hooks: InputHooks;
  space: string;
} {
  const json = asJson(options);
  if (json === undefined) {
    const detail = 'The options are not an object of JSON values.';
    throw failureOf({ code: 'invalid_request', detail, accepted: 'an object' });
  }
  const { hooks = {}, space = DEFAULT_SPACE, ...question } = json;
  checkHooks(hooks);
  checkSpace(space);
  if (jsonBytes(question) > LIMITS.bodyBytes) {
    const detail = 'The options are too large.';
    const accepted = `at most ${LIMITS.bodyBytes} bytes of JSON`;
    throw failureOf({ code: 'body_too_large', detail, accepted });
  }
  return { question, hooks, space };
}

/** Throws `invalid_request` unless these are hooks of an agent. */
export function checkHooks(hooks: unknown): asserts hooks is InputHooks {
  const entries = isObject(hooks) ? Object.entries(hooks) : [['', undefined] as const];
  for (const [name, activity] of entries) {
    if (HOOKS.includes(name) && isName(activity)) continue;
    throw failureOf({
      code: 'invalid_request',
      detail: 'A hook is not the name of an activity.',
      field: name === '' ? 'hooks' : `hooks.${name}`,
      accepted: `the name of an activity, up to ${LIMITS.nameCharacters} characters, for one of: ${HOOKS.join(', ')}`,
    });
  }
}

function isName(value: unknown): boolean {
  return typeof value === 'string' && value !== '' && value.length <= LIMITS.nameCharacters;
}

/** Throws `invalid_request` unless this can be the name of a space. */
export function checkSpace(space: unknown): asserts space is string {
  if (isName(space)) return;
  throw failureOf({
    code: 'invalid_request',
    detail: 'The space is not accepted.',
    field: 'space',
    accepted: `the name of a space, up to ${LIMITS.nameCharacters} characters`,
  });
}

/** Throws `suspension_not_found` unless this can be an id: a Signal with a longer address fails its task for good. */
export function checkId(suspensionId: unknown): asserts suspensionId is string {
  if (isName(suspensionId)) return;
  throw failureOf({ code: 'suspension_not_found', detail: 'No suspension has this id.' });
}

/** Throws `invalid_request` for a reason that HTTP would not take either. */
export function checkReason(reason: unknown): asserts reason is string | undefined {
  const most = LIMITS.questionCharacters;
  if (reason === undefined || (typeof reason === 'string' && reason.length <= most)) return;
  throw failureOf({
    code: 'invalid_request',
    detail: 'The reason is not accepted.',
    field: 'reason',
    accepted: `a text of at most ${most} characters`,
  });
}
