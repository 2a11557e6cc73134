import type { Marked } from '../types.js';

/** Retention, bound to the store and to what is configured. `goOn` is called from time to time, and throws to end it. */
export interface RetentionWork {
  readonly mark: (goOn: () => void) => Promise<Marked>;
  /** How many things were removed. */
  readonly remove: (goOn: () => void) => Promise<number>;
}
