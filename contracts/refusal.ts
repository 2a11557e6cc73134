import type { ErrorCode } from './constants/errors.js';
import type { JsonValue } from './json.js';

/**
 * Why something was refused: the code, the field at fault (a dotted path into the request), what
 * would have been accepted, and the current state as far as it helps the caller.
 */
export interface Refusal {
  readonly code: ErrorCode;
  readonly detail: string;
  readonly field?: string;
  readonly accepted?: string;
  readonly valid_choices?: readonly string[];
  /** Ids and states a client can act on; never the id of an open suspension. */
  readonly state?: Readonly<Record<string, JsonValue>>;
}

/** The result of a rule: a value, or the reason why there is none. */
export type Ruling<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly refusal: Refusal };
