import type { SettledRecord, SuspensionRecord } from '../../contracts/suspension.js';
import { isSettled } from '../../domain/suspension-state.js';
import { toInstant } from '../../domain/time.js';
import { now } from '../support/clock.js';
import type { SettledInput } from './inbox.js';

/** The end of a question whose workflow is gone: as it was settled, or cancelled because it was lost. */
export function lostInput(record: SuspensionRecord, attempt: number): SettledInput {
  if (isSettled(record)) return { record, attempt };
  const lost: SettledRecord = {
    ...record,
    resolution: 'cancelled',
    settled_by: 'admin',
    settled_at: toInstant(now()),
    reason: 'suspension_lost',
  };
  return { record: lost, attempt };
}
