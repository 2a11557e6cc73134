import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { DEFAULT_SPACE } from '../../contracts/constants/callers.js';
import { LAST_REVISION } from '../../contracts/constants/limits.js';
import type { JournalWatch } from '../../contracts/log/journal.js';
import type { Settlement } from '../../contracts/suspension/suspension.js';
import { sealTimelineEntry } from '../../domain/log/timeline.js';
import { toJsonText } from '../column-values.js';
import type { Store } from '../schema.js';
import { together } from '../together.js';
import { writeFacts } from './question-facts.js';
import { timelineEnd, writeTimeline } from './suspension.js';
import { defined } from '../../contracts/constants/defined.js';

/**
 * Settles a pending suspension whose workflow can no longer do it, and adds that to its timeline.
 *
 * @param watch - receives it like a row that settles the suspension
 */
export async function settleSuspension(
  db: Store,
  id: string,
  settlement: Settlement,
  space: string = DEFAULT_SPACE,
  watch: JournalWatch = () => undefined,
): Promise<void> {
  const { resolution, settled_by, settled_at, reason } = settlement;
  const detail = { cancelled_by: settled_by, ...defined({ reason }) };
  const written = await db.transaction().execute(async (transaction) => {
    const settled = await transaction
      .updateTable('suspensions')
      .set({ settled_revision: LAST_REVISION, state: 'settled', resolution, settled_at })
      .set({ record: sql`suspensions.record || ${toJsonText(settlement)}::jsonb` })
      .where('id', '=', id)
      .where('space', '=', space)
      .where('state', '=', 'pending')
      .returning('id')
      .executeTakeFirst();
    if (settled === undefined) return undefined;
    const { last_sequence, head_hash } = await timelineEnd(transaction, id);
    const sequence = last_sequence + 1;
    const entry = { sequence, at: settled_at, kind: 'cancelled', detail } as const;
    // The key for salts is lost with the workflow. Nothing else commits to this entry, so any random salt will do.
    const salt = randomBytes(32).toString('base64url');
    const seal = sealTimelineEntry(id, entry, head_hash, salt);
    const row = { kind: 'timeline', suspension_id: id, entry, seal } as const;
    const writes = [writeTimeline, writeFacts].flatMap(
      (writer) => writer(transaction, [row], space) ?? [],
    );
    for (const { query } of writes) await together(transaction, [query]);
    return row;
  });
  if (written === undefined) return;
  const revision = LAST_REVISION;
  const news = { kind: 'suspension_settled', suspension_id: id, revision, settlement } as const;
  watch({ rows: [news, written], refused: [], news: [news] });
}
