import { LIMITS } from '../../../contracts/constants/limits.js';
import { isBlank } from '../../../contracts/constants/visible-text.js';
import type { ToolCall } from '../../../contracts/approval/gate.js';
import type { JsonObject } from '../../../contracts/kernel/primitives.js';
import type { Ruling } from '../../../contracts/kernel/problem.js';
import { jsonBytes, visitsOf } from '../../kernel/json.js';
import type { Visit } from '../../kernel/json.js';
import { isObject } from '../../kernel/message-form.js';
import { ok, refuse } from '../../kernel/ruling.js';
import { cutTo } from '../../kernel/text.js';
import { JudgingBudget, judgeBySchema } from '../../schema/judge.js';

/** A call of a turn, and why nobody can be asked about it and nothing of it runs, if it is malformed. */
export interface CheckedCall {
  /** The call; of a malformed one, only the readable names. */
  readonly call: ToolCall;
  readonly fault?: string;
}

const NAME = `a text of 1 to ${LIMITS.nameCharacters} characters without white space at its ends`;

/**
 * Checks each call of a turn by itself: a model may make any form, and a malformed call must not stop the others. A
 * repeated id is a fault, because approvals and tools could not tell the calls apart. Refuses `invalid_request` only
 * for what is no list.
 */
export function checkCalls(calls: unknown): Ruling<readonly CheckedCall[]> {
  if (!Array.isArray(calls)) {
    const extra = { field: 'calls', accepted: 'a list of calls' };
    return refuse('invalid_request', 'calls is not accepted.', extra);
  }
  const ids = new Set<string>();
  let left: number = LIMITS.turnBytes;
  return ok(
    (calls as readonly unknown[]).map((call, index) => {
      const fault =
        index < LIMITS.proposedCalls
          ? faultOf(call, ids, left)
          : `A turn has at most ${LIMITS.proposedCalls} calls.`;
      if (fault !== undefined) return { call: namedAs(call), fault };
      const sound = call as ToolCall;
      ids.add(sound.id);
      left -= jsonBytes(sound.arguments);
      return { call: sound };
    }),
  );
}

const TOO_MUCH =
  'The calls of the turn take too long to be judged by the schemas of their tools: make fewer of them, or shorter ones.';

/**
 * Returns why each call does not fit the schema of its tool, or undefined. One workflow task judges all calls of a
 * turn, so together they take no more work than one answer may.
 *
 * @param schemaOf - the schema of a tool, which `checkSchema` has passed
 */
export function argumentFaults(
  calls: readonly ToolCall[],
  schemaOf: (tool: string) => JsonObject | undefined,
): readonly (string | undefined)[] {
  const budget = new JudgingBudget();
  return calls.map(({ name, arguments: given }) => {
    const schema = schemaOf(name);
    if (schema === undefined) return undefined;
    if (budget.left < 0) return TOO_MUCH;
    const fits = judgeBySchema(schema, given, 'arguments', budget);
    if (fits.ok) return undefined;
    return budget.left < 0 ? TOO_MUCH : fits.refusal.detail;
  });
}

function faultOf(call: unknown, ids: ReadonlySet<string>, left: number): string | undefined {
  if (!isObject(call)) return 'The call is no object with id, name and arguments.';
  const { id, name, arguments: given } = call;
  if (!isName(id)) return `The id of the call is not ${NAME}.`;
  if (ids.has(id)) return 'Another call of the turn has the same id.';
  if (!isName(name)) return `The name of the tool is not ${NAME}.`;
  if (!isObject(given)) return 'The arguments of the call are no object.';
  const fault = jsonFault(given);
  if (fault !== undefined) return `The arguments of the call ${fault}.`;
  return jsonBytes(given) > left ? 'The calls of the turn are too large together.' : undefined;
}

function isName(value: unknown): value is string {
  if (typeof value !== 'string' || value.length > LIMITS.nameCharacters) return false;
  return !isBlank(value) && value === value.trim();
}

/** The names in the result of a malformed call: the model recognises it by its position. */
function namedAs(call: unknown): ToolCall {
  const { id, name } = isObject(call) ? call : {};
  return {
    id: typeof id === 'string' ? id : '',
    name: typeof name === 'string' ? cutTo(name, LIMITS.nameCharacters) : '',
    arguments: {},
  };
}

/** The least bytes of a value in JSON, with its separator. */
const LEAST_BYTES = 2;

/** Returns why a value cannot be hashed, shown and sent as JSON, or undefined. Looks at no more than it accepts. */
function jsonFault(given: object): string | undefined {
  let seen = 0;
  for (const { value, name, depth, parent } of visitsOf(given)) {
    seen += LEAST_BYTES;
    if (depth > LIMITS.argumentsDepth) return 'are nested too deeply';
    if (seen > LIMITS.callBytes) return 'are too large';
    if (name === '__proto__') return 'have the name __proto__';
    if (!isJson(value) || isHole(value, parent)) return 'are not JSON';
  }
  return jsonBytes(given) > LIMITS.callBytes ? 'are too large' : undefined;
}

/** JSON leaves out what is undefined, but not in a list, where null would take its place. */
function isHole(value: unknown, parent: Visit | undefined): boolean {
  return value === undefined && Array.isArray(parent?.value);
}

/** Whether a value is JSON or left out of it, without the values in it. */
function isJson(value: unknown): boolean {
  switch (typeof value) {
    case 'string':
    case 'boolean':
    case 'undefined':
      return true;
    case 'number':
      return Number.isFinite(value);
    case 'object':
      return value === null || Array.isArray(value) || isPlain(value);
    default:
      return false;
  }
}

/** An agent's code and data may come from different realms. */
function isPlain(value: object): boolean {
  const isDated = 'toJSON' in value && typeof value.toJSON === 'function';
  return !isDated && Object.prototype.toString.call(value) === '[object Object]';
}
