import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/** So many rows are read at once: each may be large. */
const AT_ONCE = 50;

/** Where the content of a row has the id of an approval, and of a portfolio, that it is about. */
const PLACES: Readonly<
  Record<string, { readonly approval_id?: string; readonly intent_id?: string }>
> = {
  approval: { approval_id: 'approval.approval_id' },
  suspension_opened: { approval_id: 'record.approval.proposal.approval_id' },
  suspension_progress: { approval_id: 'approval.proposal.approval_id' },
  suspension_settled: { approval_id: 'settlement.approval.proposal.approval_id' },
  coordinator: { intent_id: 'coordinator.portfolio_id' },
  subscription: { intent_id: 'subscription.portfolio_id' },
};

/**
 * Refused rows say of which approval they are, so that they are erased and removed with it (docs/adr/0039, docs/adr/0042),
 * also where it has no intent; and rows about a portfolio name that. Rows that are there are filled in from their
 * content, and those whose approval is erased or gone go at once.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('journal_quarantine').addColumn('approval_id', 'text').execute();
  await sql`
    create index journal_quarantine_by_approval_id on journal_quarantine (approval_id)
      where approval_id is not null`.execute(db);
  await sql`
    create or replace function holdpoint_forget_refused_row() returns trigger language plpgsql as $$
    begin
      if new.content <> '' and exists (
        select from erasures
        where (kind = 'suspension' and id = new.suspension_id)
          or (kind = 'approval' and id = new.approval_id)
          or (kind = 'intent' and id = new.intent_id
            and (new.kind <> 'event' or new.sequence is null or through_sequence >= new.sequence))
      ) then
        new.content := '';
        new.id := 'erased:' || gen_random_uuid();
      end if;
      return new;
    end $$`.execute(db);
  await sql`
    create or replace function holdpoint_removed_journal_quarantine() returns trigger
    language plpgsql as $$
    begin
      if exists (
        select from retention_tombstones
        where removed_at is not null and (kind, id) in (
          ('intent', new.intent_id), ('portfolio', new.intent_id),
          ('suspension', new.suspension_id), ('approval', new.approval_id)
        )
      ) then
        return null;
      end if;
      return new;
    end $$`.execute(db);
  await fillIn(db);
  await sql`
    delete from journal_quarantine aside using retention_tombstones tomb
    where tomb.removed_at is not null and (tomb.kind, tomb.id) in (
      ('portfolio', aside.intent_id), ('approval', aside.approval_id)
    )`.execute(db);
}

interface RefusedRow {
  readonly id: string;
  readonly kind: string;
  readonly content: string;
}

/** PostgreSQL cannot read all contents: JSON may have characters that jsonb refuses. */
async function fillIn(db: Kysely<unknown>): Promise<void> {
  let after = '';
  for (;;) {
    const { rows } = await sql<RefusedRow>`
      select id, kind, content from journal_quarantine
      where id > ${after} and content <> '' and kind in (${sql.join(Object.keys(PLACES))})
      order by id limit ${AT_ONCE}`.execute(db);
    for (const row of rows) await fill(db, row);
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}

async function fill(db: Kysely<unknown>, { id, kind, content }: RefusedRow): Promise<void> {
  const { approval_id = '', intent_id = '' } = PLACES[kind] ?? {};
  const row: unknown = JSON.parse(content);
  const [approval, portfolio] = [textAt(row, approval_id), textAt(row, intent_id)];
  if (approval === null && portfolio === null) return;
  await sql`
    update journal_quarantine
    set approval_id = ${approval}, intent_id = coalesce(intent_id, ${portfolio})
    where id = ${id}`.execute(db);
}

function textAt(row: unknown, path: string): string | null {
  let value = row;
  for (const name of path.split('.')) {
    value = (value as Readonly<Record<string, unknown>> | null | undefined)?.[name];
  }
  return typeof value === 'string' ? value : null;
}
