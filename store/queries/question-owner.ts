import { sql } from 'kysely';
import type { JournalRow } from '../../contracts/log/journal.js';
import type { JournalWriter } from './upsert.js';

/** The question belongs to another space, which chose the id a moment earlier. */
export class ForeignQuestionError extends Error {
  override readonly name = 'ForeignQuestionError';
}

/**
 * Reserves all questions of a batch for its space, also those whose opening is still to come. It runs after the writers of
 * questions, which leave the row of another space as it is. Throws `ForeignQuestionError` if another space has the question.
 */
export const claimQuestions: JournalWriter = (db, rows, space) => {
  const ids = [...new Set(rows.flatMap(questionIn))].sort();
  if (ids.length === 0) return undefined;
  // The update changes nothing. It makes rows visible that another transaction has just written.
  const query = db
    .insertInto('suspensions')
    .values(ids.map((id) => ({ id, space })))
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet({ space: sql.ref('suspensions.space') })
        .whereRef('suspensions.space', '<>', 'excluded.space'),
    )
    .returning(['id', 'space']);
  return {
    query,
    news: (returned) => {
      const foreign = returned.find((row) => row['space'] !== space);
      if (foreign)
        throw new ForeignQuestionError(`${String(foreign['id'])} belongs to another space`);
      return [];
    },
  };
};

/** The question that a row is about, if it is one of its own. */
export function questionIn(row: JournalRow): readonly string[] {
  switch (row.kind) {
    case 'suspension_opened':
      return [row.record.id];
    case 'suspension_progress':
    case 'suspension_settled':
    case 'timeline':
      return [row.suspension_id];
    default:
      return [];
  }
}
