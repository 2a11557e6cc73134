import { z } from 'zod';
import { ERRORS, type ErrorCode } from '../constants/errors.js';
import { jsonObjectSchema, type JsonValue } from './primitives.js';

const fieldIssueSchema = z.object({
  field: z.string().describe('Path into the input, e.g. `choices[0].label`.'),
  detail: z.string(),
  accepted: z.exactOptional(z.string()),
});

/** The body of every refusal: RFC 9457 problem details, with fields that Holdpoint adds. */
export const problemSchema = z
  .object({
    type: z.string().describe('`urn:holdpoint:error:` followed by the code.'),
    title: z.string(),
    status: z.int().min(400).max(599),
    detail: z.string(),
    code: z.enum(Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]]),
    request_id: z.string().describe('The id under which the log knows this request.'),
    field: z.exactOptional(z.string()).describe('The field at fault.'),
    accepted: z.exactOptional(z.string()).describe('What would be accepted.'),
    valid_choices: z.exactOptional(z.array(z.string()).readonly()),
    state: z
      .exactOptional(jsonObjectSchema)
      .describe(
        'Ids and statuses that the caller can act on, but never the id of an open suspension.',
      ),
    errors: z
      .exactOptional(z.array(fieldIssueSchema).readonly())
      .describe('All fields at fault, if there is more than one.'),
  })
  .meta({ id: 'Problem' });
export type Problem = Readonly<z.infer<typeof problemSchema>>;

/**
 * A refusal: code, field at fault (a path into the request), accepted values, and the state that helps the caller.
 */
export interface Refusal {
  readonly code: ErrorCode;
  readonly detail: string;
  readonly field?: string;
  readonly accepted?: string;
  readonly valid_choices?: readonly string[];
  /** Ids and statuses that the caller can use, but never the id of an open suspension. */
  readonly state?: Readonly<Record<string, JsonValue>>;
}

export type Ruling<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly refusal: Refusal };
