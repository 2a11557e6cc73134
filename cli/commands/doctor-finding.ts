import { defined } from '../../contracts/constants/defined.js';
import { endingOf } from '../failures.js';

/** The result of one check. */
export interface Finding {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
  /** What to do about it, if it is not ok. */
  readonly advice?: string;
}

/** The result of a check that could not be made. */
export function failed(name: string, error: unknown, advice?: string): Finding {
  const { line } = endingOf(error);
  return { name, ok: false, detail: line, ...defined({ advice }) };
}
