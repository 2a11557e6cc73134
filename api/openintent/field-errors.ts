import type { z } from 'zod';
import { withoutNulls } from '../../contracts/parse-fields.js';
import { RefusalError } from '../errors.js';

type Place = 'body' | 'query';

/** One field at fault, in the form in which FastAPI tells it. */
export interface FieldError {
  readonly type: string;
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly input: unknown;
}

/** A 422 that names every field at fault. */
export class FieldErrors extends RefusalError {
  readonly fields: readonly FieldError[];

  constructor(fields: readonly FieldError[]) {
    super({ code: 'invalid_request', detail: fields[0]?.msg ?? 'The request is not accepted.' });
    this.fields = fields;
  }
}

/** One field of the body that a rule, not its form, refuses. */
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
 * Parses a body or a query; what the schema does not know is ignored, as is a null of an optional field.
 *
 * @throws FieldErrors
 */
export function parseFields<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  place: Place,
): z.output<Schema> {
  const result = schema.safeParse(withoutNulls(schema, input));
  if (result.success) return result.data;
  throw new FieldErrors(result.error.issues.map((issue) => fieldError(issue, input, place)));
}
