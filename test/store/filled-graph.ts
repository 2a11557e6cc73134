import { sql } from 'kysely';
import type { Store } from '../../store/schema.js';

/** So many intents belong to one portfolio. */
const MEMBERS = 20;

/**
 * Fills the tables of what waits, for questions `s1` to `s<rows>`, which are there. Each has an intent of
 * its own, `i<n>`, on which another one depends, `d<n>`, and that belongs to a portfolio. One in ten has a plan of three tasks,
 * `plan-<n>`. One in ten, from the fifth, is that of an approval of the intent, and one in ten, from the third, is asked by the
 * checkpoint of a plan.
 */
export async function fillGraph(db: Store, rows: number): Promise<void> {
  const numbers = sql`generate_series(1, ${rows}::integer) n`;
  await withoutTriggers(db, async () => {
    for (const kind of ['i', 'd']) {
      await sql`
        insert into intents (id, version, status, title, created_by, created_at, updated_at, last_sequence, record)
        select ${kind}::text || n, 1, 'active', 'Refund', 'agent', '2026-01-01Z', '2026-01-01Z', 1, '{}'
        from ${numbers}`.execute(db);
    }
    await sql`
      insert into dependencies (intent_id, dependency_id, revision, present)
      select 'd' || n, 'i' || n, 1, true from ${numbers}`.execute(db);
    await sql`
      insert into portfolios (id, version, status, created_by, created_at, last_sequence, record)
      select 'portfolio-' || n, 1, 'active', 'agent', '2026-01-01Z', 1, '{}' from ${numbers}
      where n <= ${rows}::integer / ${MEMBERS}::integer`.execute(db);
    await sql`
      insert into portfolio_memberships (portfolio_id, intent_id, revision, membership)
      select 'portfolio-' || (n - 1) / ${MEMBERS}::integer + 1, 'i' || n, 1, '{}'
      from ${numbers}`.execute(db);
    await sql`
      insert into plans (id, intent_id, state, revision, created_at, record)
      select 'plan-' || n, 'i' || n, 'active', 1, '2026-01-01Z', jsonb_build_object(
        'escalations', '[]'::jsonb, 'checkpoints', case n % 10 when 3 then jsonb_build_array(
          jsonb_build_object('after_task', 't' || n || '-1', 'suspension_id', 's' || n)) else '[]' end)
      from ${numbers} where n % 10 in (0, 3)`.execute(db);
    await sql`
      insert into tasks (id, intent_id, plan_id, status, revision, created_at, record)
      select 't' || n || '-' || step, case step when 1 then 'i' || n else 'x' || n || '-' || step end,
        'plan-' || n, 'pending', 1, '2026-01-01Z', jsonb_build_object('depends_on',
          case step when 1 then '[]' else jsonb_build_array('t' || n || '-' || step - 1) end)
      from ${numbers} cross join generate_series(1, 3) step where n % 10 in (0, 3)`.execute(db);
    await sql`
      insert into approvals (id, space, revision, run_id, intent_id, asked_by, status, risk_class,
        created_at, suspension_id, proposed, record)
      select 'a' || n, 'default', 1, 'run-' || n, 'i' || n, 'agent', 'pending', 'high',
        '2026-01-01Z', 's' || n, '{}', '{}'
      from ${numbers} where n % 10 = 5`.execute(db);
    await sql`
      update suspensions asked set intent_id = case when n % 10 not in (3, 5) then 'i' || n end,
        record = record || case n % 10
          when 3 then jsonb_build_object('context', jsonb_build_object('plan_id', 'plan-' || n))
          when 5 then jsonb_build_object('approval', jsonb_build_object('proposal',
            jsonb_build_object('approval_id', 'a' || n, 'run_id', 'run-' || n)))
          else '{}' end
      from ${numbers} where asked.id = 's' || n`.execute(db);
  });
}

const FILLED = [
  'intents',
  'dependencies',
  'portfolios',
  'portfolio_memberships',
  'plans',
  'tasks',
  'approvals',
  'suspensions',
];

async function withoutTriggers(db: Store, fill: () => Promise<void>): Promise<void> {
  const each = async (what: (table: string) => string) => {
    for (const table of FILLED) await sql.raw(what(table)).execute(db);
  };
  await each((table) => `alter table ${table} disable trigger user`);
  await fill();
  await each((table) => `alter table ${table} enable trigger user`);
  await each((table) => `vacuum analyze ${table}`);
}
