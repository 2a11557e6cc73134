import { refusalIn } from '../api/http.js';
import type { Fault } from '../form/read.js';

/** Returns the part of a form that the API refused: a part of the value, or of the data that belong to a decision. */
export function faultIn(error: unknown): Fault | undefined {
  const problem = refusalIn(error);
  if (problem?.code !== 'invalid_value') return undefined;
  const names = (problem.field ?? '').split(/[.[\]]+/).filter((name) => name !== '');
  const from = names[0] === 'value' ? 1 : names.indexOf('data') + 1;
  return { path: names.slice(from), detail: problem.detail };
}
