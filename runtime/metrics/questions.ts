import { Counter } from 'prom-client';
import type { Registry } from 'prom-client';
import { PORTFOLIO_DEADLINE } from '../../contracts/constants/statuses.js';
import type { JournalWatch } from '../../contracts/journal.js';

/**
 * Counts the questions that are asked and settled by rows which a process has written to the store. Whoever wrote a row
 * first counts it: worker and API both write many, and again where they cannot know that the other has.
 */
export function questionCounter(registry: Registry): JournalWatch {
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
  return ({ news }) => {
    for (const row of news) {
      if (row.kind === 'suspension_opened') asked.inc();
      if (row.kind !== 'suspension_settled') continue;
      const { resolution, settled_by, reason } = row.settlement;
      settled.inc({ resolution, by: reason === PORTFOLIO_DEADLINE ? 'deadline' : settled_by });
    }
  };
}
