import { RefusedError } from '../api/http.js';

/** A fault that the API found: where it is within the form, and what is wrong there. */
export interface FieldFault {
  readonly path: readonly string[];
  readonly detail: string;
}

/** The part of a form that the API refused: of the value, or of the data that come with a decision. */
export function faultIn(error: unknown): FieldFault | undefined {
  if (!(error instanceof RefusedError)) return undefined;
  const { code, field: at = '', detail } = error.problem;
  if (code !== 'invalid_value') return undefined;
  const names = at.split(/[.[\]]+/).filter((name) => name !== '');
  const from = names[0] === 'value' ? 1 : names.indexOf('data') + 1;
  return { path: names.slice(from), detail };
}
