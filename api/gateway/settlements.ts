import { Awaited } from './awaited.js';
import type { Clock } from './clock.js';
import type { FromStore } from './store-reads.js';

/** The suspensions that this replica opened (`pending`) or settled, for lists of them. */
export class Settlements extends Awaited<'pending' | 'settled'> {
  constructor(clock: Clock, fromStore: FromStore) {
    super(clock, (wanted) => fromStore((store) => store.notYet(wanted)));
  }
}
