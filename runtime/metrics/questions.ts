import { Counter } from 'prom-client';
import type { Registry } from 'prom-client';
import { PORTFOLIO_DEADLINE } from '../../contracts/constants/statuses.js';
import type { JournalRow } from '../../contracts/journal.js';

/**
 * Counts the questions that are asked and settled in rows which a process has written to the store: the worker writes
 * most, the API those that hold up nobody.
 */
export function questionCounter(registry: Registry): (rows: readonly JournalRow[]) => void {
  const asked = new Counter({
    name: 'holdpoint_questions_asked_total',
    help: 'Questions that were asked.',
    registers: [registry],
  });
  const settled = new Counter({
    name: 'holdpoint_questions_settled_total',
    help: 'Questions that were settled, by how and by whom.',
    labelNames: ['resolution', 'by'] as const,
    registers: [registry],
  });
  return (rows) => {
    for (const row of rows) {
      if (row.kind === 'suspension_opened') asked.inc();
      if (row.kind !== 'suspension_settled') continue;
      const { resolution, settled_by, reason } = row.settlement;
      settled.inc({ resolution, by: reason === PORTFOLIO_DEADLINE ? 'deadline' : settled_by });
    }
  };
}
