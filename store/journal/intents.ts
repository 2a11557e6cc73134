import { sql } from 'kysely';
import type { Store } from '../schema.js';
import { toJsonText, toText } from '../text-codec.js';
import { oneById } from './by-id.js';
import type { RowOf } from './rows.js';

type IntentRow = RowOf<'intent'>;

/** Writes each intent's current row, unless a later one is stored. */
export async function upsertIntents(db: Store, rows: readonly IntentRow[]): Promise<void> {
  if (rows.length === 0) return;
  const latest = oneById(rows, ({ intent }) => intent.id, isAtLeast);
  await db
    .insertInto('intents')
    .values(
      latest.map(({ intent, last_sequence, head_hash }) => ({
        id: intent.id,
        version: intent.version,
        status: intent.status,
        title: toText(intent.title),
        created_by: toText(intent.created_by),
        created_at: intent.created_at,
        updated_at: intent.updated_at,
        last_sequence,
        head_hash: head_hash ?? null,
        record: toJsonText(intent),
      })),
    )
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet((eb) => ({
          version: eb.ref('excluded.version'),
          status: eb.ref('excluded.status'),
          title: eb.ref('excluded.title'),
          updated_at: eb.ref('excluded.updated_at'),
          last_sequence: eb.ref('excluded.last_sequence'),
          head_hash: eb.ref('excluded.head_hash'),
          record: eb.ref('excluded.record'),
        }))
        .where(
          sql<boolean>`(excluded.version, excluded.last_sequence) >= (intents.version, intents.last_sequence)`,
        ),
    )
    .execute();
}

function isAtLeast(row: IntentRow, earlier: IntentRow): boolean {
  if (row.intent.version !== earlier.intent.version) {
    return row.intent.version > earlier.intent.version;
  }
  return row.last_sequence >= earlier.last_sequence;
}
