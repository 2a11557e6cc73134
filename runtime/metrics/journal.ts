import { Counter } from 'prom-client';
import type { Registry } from 'prom-client';
import type { JournalWatch } from '../../contracts/journal.js';
import { questionCounter } from './questions.js';

/**
 * Counts what a process has written to the store, whoever in it writes: the journal's activity, the reconciler, or the
 * API where it writes rows itself.
 */
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
