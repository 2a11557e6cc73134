import type { Store } from '../schema.js';
import { toJsonText, toText } from '../text-codec.js';
import { oneById } from './by-id.js';
import type { RowOf } from './rows.js';

/** Writes each subscription; what is over stays over. */
export async function upsertSubscriptions(
  db: Store,
  rows: readonly RowOf<'subscription'>[],
): Promise<void> {
  if (rows.length === 0) return;
  const latest = oneById(
    rows,
    ({ subscription }) => subscription.id,
    ({ subscription }) => !subscription.active,
  );
  await db
    .insertInto('subscriptions')
    .values(
      latest.map(({ subscription }) => ({
        id: subscription.id,
        intent_id: subscription.intent_id,
        portfolio_id: subscription.portfolio_id,
        created_by: toText(subscription.created_by),
        created_at: subscription.created_at,
        active: subscription.active,
        record: toJsonText(subscription),
      })),
    )
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet((eb) => ({
          active: eb.ref('excluded.active'),
          record: eb.ref('excluded.record'),
        }))
        .where('subscriptions.active', '=', true),
    )
    .execute();
}
