import { Counter } from 'prom-client';
import type { Registry } from 'prom-client';
import { PORTFOLIO_DEADLINE } from '../../contracts/constants/statuses.js';
import type { JournalWatch } from '../../contracts/log/journal.js';

/** Counts the rows that a process has written to the store: by the journal's activity, the reconciler, or the API. */
export function journalCounter(registry: Registry): JournalWatch {
  const labelNames = ['kind'] as const;
  const registers = [registry];
  const taken = new Counter({
    name: 'holdpoint_journal_rows_total',
    help: 'Rows that the store took, repeated and refused ones included.',
    labelNames,
    registers,
  });
  const refusals = new Counter({
    name: 'holdpoint_journal_refused_rows_total',
    help: 'Rows that the store refused for good.',
    labelNames,
    registers,
  });
  const countQuestions = questionCounter(registry);
  return (written) => {
    for (const { kind } of written.rows) taken.inc({ kind });
    for (const { kind } of written.refused) refusals.inc({ kind });
    countQuestions(written);
  };
}

/**
 * Counts the questions that were asked and settled by rows that a process has written. Only the first writer of a row counts
 * it: worker and API both write many, and repeat rows that the other may have written.
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
