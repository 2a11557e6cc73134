import type { Request, Response } from 'express';
import type { z } from 'zod';
import { defined } from '../../contracts/constants/defined.js';
import { ERRORS, type ErrorCode } from '../../contracts/constants/errors.js';
import { InexactJsonError } from '../../contracts/constants/exact-json.js';
import { LIMITS } from '../../contracts/constants/limits.js';
import { boundedParse } from '../../contracts/kernel/bounded-parse.js';
import { withoutNulls } from '../../contracts/kernel/parse-fields.js';
import type { Refusal } from '../../contracts/kernel/problem.js';
import type { SuspensionChoice, SuspensionRecord } from '../../contracts/suspension/suspension.js';
import { boundedRefusal, cutJson } from '../../domain/kernel/bounded.js';
import { cutTo } from '../../domain/kernel/text.js';
import { validChoices } from '../../domain/suspension/answering/response.js';
import { RefusalError } from '../errors.js';
import { versionIn } from '../http/headers.js';
import { setStatusHeaders } from '../http/problem.js';

type Place = 'body' | 'query';

/** One invalid field, in the form of FastAPI. */
interface FieldError {
  readonly type: string;
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly input: unknown;
}

/** The most bytes of JSON of a value that an error shows; a larger value is cut. */
const INPUT_BYTES = 1_000;
const MESSAGE_BYTES = 700;
const PART_BYTES = 200;

/** Cuts an error, which may quote a field as large as the request. */
function shownError({ type, loc, msg, input }: FieldError): FieldError {
  return {
    type,
    loc: loc.map((part) => (typeof part === 'string' ? cutTo(part, PART_BYTES) : part)),
    msg: cutTo(msg, MESSAGE_BYTES),
    input: cutJson(input, INPUT_BYTES),
  };
}

/** A 422 that names the invalid fields, at most 20. */
export class FieldErrors extends RefusalError {
  readonly fields: readonly FieldError[];

  constructor(fields: readonly FieldError[]) {
    super({ code: 'invalid_request', detail: fields[0]?.msg ?? 'The request is not accepted.' });
    this.fields = fields.slice(0, LIMITS.reportedIssues).map(shownError);
  }
}

/** Returns the refusal of one field of a body that is valid otherwise. */
export function bodyError(loc: readonly (string | number)[], msg: string, input: unknown) {
  return new FieldErrors([{ type: 'value_error', loc: ['body', ...loc], msg, input }]);
}

function at(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, part) =>
      typeof value === 'object' && value !== null
        ? (value as Record<PropertyKey, unknown>)[part]
        : undefined,
    input,
  );
}

function fieldError(issue: z.core.$ZodIssue, input: unknown, place: Place): FieldError {
  const loc = [
    place,
    ...issue.path.map((part) => (typeof part === 'number' ? part : String(part))),
  ];
  const found = at(input, issue.path);
  if (found === undefined) {
    return {
      type: 'missing',
      loc,
      msg: 'Field required',
      input: at(input, issue.path.slice(0, -1)),
    };
  }
  return { type: 'value_error', loc, msg: issue.message, input: found };
}

/**
 * Parses a body or a query. It ignores unknown fields, and a null in an optional field.
 *
 * @throws FieldErrors
 */
export function parseFields<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  place: Place,
): z.output<Schema> {
  const result = boundedParse(schema, withoutNulls(schema, input));
  if (result.success) return result.data;
  const first = result.error.issues.slice(0, LIMITS.reportedIssues);
  throw new FieldErrors(first.map((issue) => fieldError(issue, input, place)));
}

/** Refuses a write without a version: 400 for intents, 428 for tasks and plans. */
class IfMatchRequired extends RefusalError {
  readonly status: 400 | 428;

  constructor(status: 400 | 428) {
    super({
      code: 'precondition_required',
      detail: 'Send the version you read as If-Match.',
      field: 'If-Match',
      accepted: 'an integer',
    });
    this.status = status;
  }
}

/**
 * Returns the version that a write builds on.
 *
 * @param status - the status of the refusal if the version is missing or no integer
 * @throws IfMatchRequired
 */
export function versionOf(req: Request, status: 400 | 428): number {
  const version = versionIn(req);
  if (typeof version === 'number') return version;
  throw new IfMatchRequired(status);
}

/** The 422 of a value that is none of the choices; it carries all choices. */
export class InvalidChoice extends RefusalError {
  readonly choices: readonly SuspensionChoice[];

  private constructor(choices: readonly SuspensionChoice[], value: unknown) {
    const values = choices.map((choice) => quoted(choice.value)).join(', ');
    const given = quoted(cutJson(value, INPUT_BYTES));
    const detail = `Value ${given} is not a valid choice. Expected one of: [${values}]`;
    super({ code: 'invalid_value', detail });
    this.choices = choices;
  }

  /** Undefined for a question without choices. */
  static of(record: SuspensionRecord, value: unknown): InvalidChoice | undefined {
    const choices = validChoices(record);
    return choices.length === 0 ? undefined : new InvalidChoice(choices, value);
  }

  get wireDetail() {
    return { error: 'invalid_choice', message: this.refusal.detail, valid_choices: this.choices };
  }
}

/** Quotes a text like Python. */
function quoted(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : JSON.stringify(value);
}

/** Statuses that differ from those of /v1. */
const STATUS: Partial<Record<ErrorCode, number>> = { malformed_json: 422 };

const TEXTS: Partial<Record<ErrorCode, string>> = {
  unauthenticated: 'Invalid or missing API key',
  method_not_allowed: 'Method Not Allowed',
  intent_not_found: 'Intent not found',
  lease_not_found: 'Lease not found or not owned by you',
  portfolio_not_found: 'Portfolio not found',
  task_not_found: 'Task not found',
  plan_not_found: 'Plan not found',
  coordinator_not_found: 'Coordinator not found',
  agent_not_found: 'Agent not found',
  subscription_not_found: 'Subscription not found',
  lease_held: 'Lease already held for this scope',
  version_conflict: 'Version conflict',
  precondition_required: 'If-Match header required',
  missing_suspension_id: 'suspension_id is required',
  suspension_mismatch: 'suspension_id mismatch',
};

function detailOf({ code, detail, state }: Refusal, error: unknown): unknown {
  if (error instanceof FieldErrors) return error.fields;
  if (error instanceof InvalidChoice) return error.wireDetail;
  if (error instanceof RefusalError && error.cause instanceof InexactJsonError) {
    const { path } = error.cause.fault;
    return [{ type: 'json_invalid', loc: ['body', ...path], msg: detail, input: {} }];
  }
  if (code === 'governance_violation') {
    return { error: code, rule: state?.['rule'], message: detail };
  }
  if (code === 'invalid_value') return { error: code, message: detail };
  if (code === 'malformed_json') {
    return [{ type: 'json_invalid', loc: ['body', 0], msg: 'JSON decode error', input: {} }];
  }
  if (code === 'intent_not_suspended') {
    const status = state?.['intent_status'];
    return `Intent is not suspended (status=${typeof status === 'string' ? status : 'unknown'})`;
  }
  if (code === 'not_found' && detail === ERRORS.not_found[2]) return 'Not Found';
  return TEXTS[code] ?? detail;
}

/**
 * Returns the detail of a reply with this status. The SDK takes a 409 for a conflict of leases if its body holds the
 * word "lease", so the detail of any other 409 that quotes this word is replaced.
 */
function safeDetail(refusal: Refusal, error: unknown, status: number): unknown {
  const detail = detailOf(refusal, error);
  const misleads = status === 409 && refusal.code !== 'lease_held';
  return misleads && /lease/i.test(JSON.stringify(detail)) ? ERRORS[refusal.code][2] : detail;
}

/**
 * Sends a refusal as the OpenIntent SDK reads it: an object with `detail`, `current_version` after a conflict of
 * versions, and `accepted` without a valid key. The code is that of `/v1`.
 */
export function sendRefusal(res: Response, whole: Refusal, error: unknown): void {
  const refusal = boundedRefusal(whole);
  const [tabled] = ERRORS[refusal.code];
  const own = error instanceof IfMatchRequired ? error.status : STATUS[refusal.code];
  const status = own ?? tabled;
  setStatusHeaders(res, status);
  const current = refusal.state?.['current_version'];
  res.status(status).json({
    detail: safeDetail(refusal, error, status),
    code: refusal.code,
    // The detail of a 401 is fixed, so this alone says how to send a key.
    ...(status === 401 && defined({ accepted: refusal.accepted })),
    ...(status === 409 && current !== undefined && { current_version: current }),
  });
}
