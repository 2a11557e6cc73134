import type { Intent, IntentStatus } from '../../contracts/intent.js';
import type { Store } from '../schema.js';
import { toText } from '../text-codec.js';

/** The intent as last written, or undefined. */
export async function findIntent(db: Store, id: string): Promise<Intent | undefined> {
  const row = await db
    .selectFrom('intents')
    .select('record')
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.record;
}

export interface IntentListOptions {
  readonly limit: number;
  readonly offset: number;
  readonly status?: string | undefined;
}

/** A page of intents, newest first. */
export async function listIntents(db: Store, options: IntentListOptions): Promise<Intent[]> {
  const { limit, offset, status } = options;
  const all = db.selectFrom('intents').select('record');
  // Any text may be asked for; one that is no status finds nothing.
  const filtered =
    status === undefined ? all : all.where('status', '=', toText(status) as IntentStatus);
  const rows = await filtered
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .offset(offset)
    .execute();
  return rows.map(({ record }) => record);
}
