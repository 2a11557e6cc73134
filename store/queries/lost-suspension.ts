import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { DEFAULT_SPACE } from '../../contracts/constants/callers.js';
import { LAST_REVISION } from '../../contracts/constants/limits.js';
import type { JournalWatch } from '../../contracts/journal.js';
import type { Settlement } from '../../contracts/suspension.js';
import { sealTimelineEntry } from '../../domain/suspension/timeline-seal.js';
import { toJsonText } from '../column-values.js';
import type { Store } from '../schema.js';
import { together } from '../together.js';
import { timelineEnd, writeTimeline } from './suspension.js';

/**
 * Settles a suspension whose workflow cannot do it any more, and adds that to its timeline. One that is settled
 * stays as it is.
 *
 * @param watch - told of it as of a row that settles it
 */
export async function settleSuspension(
  db: Store,
  id: string,
  settlement: Settlement,
  space: string = DEFAULT_SPACE,
  watch: JournalWatch = () => undefined,
): Promise<void> {
  const { resolution, settled_by, settled_at, reason } = settlement;
  const detail = { cancelled_by: settled_by, ...(reason !== undefined && { reason }) };
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
    const entry = {
      sequence: last_sequence + 1,
      at: settled_at,
      kind: 'cancelled',
      detail,
    } as const;
    // Its key is lost with its workflow. Nothing else commits to this entry, so any random salt will do.
    const salt = randomBytes(32).toString('base64url');
    const seal = sealTimelineEntry(id, entry, head_hash, salt);
    const row = { kind: 'timeline', suspension_id: id, entry, seal } as const;
    const write = writeTimeline(transaction, [row], space);
    await together(transaction, write ? [write.query] : []);
    return row;
  });
  if (written === undefined) return;
  const news = {
    kind: 'suspension_settled',
    suspension_id: id,
    revision: LAST_REVISION,
    settlement,
  } as const;
  watch({ rows: [news, written], refused: [], news: [news] });
}
