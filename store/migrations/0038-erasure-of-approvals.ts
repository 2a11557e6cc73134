import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/**
 * What is left of an approval whose personal data was erased, and triggers that keep it so: of its row, and of what it left in
 * the log of its run (docs/adr/0039). The questions of an approval are found by it, and approvals that wait by their age.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index suspensions_by_approval
      on suspensions ((record #>> '{approval,proposal,approval_id}'))
      where record #>> '{approval,proposal,approval_id}' is not null`.execute(db);
  await sql`
    create index approvals_waiting on approvals (created_at, id)
      where status = 'pending'`.execute(db);
  await erasedForms(db);
  await sql`
    create function holdpoint_forget_approval() returns trigger language plpgsql as $$
    declare at timestamptz;
    begin
      select erased_at into at from erasures where kind = 'approval' and id = new.id;
      if at is null then return new; end if;
      new.proposed := holdpoint_erased_proposal(new.proposed);
      new.record := holdpoint_erased_approval(new.record, at);
      return new;
    end $$`.execute(db);
  await sql`
    create trigger forget before insert or update on approvals
      for each row execute function holdpoint_forget_approval()`.execute(db);
  await sql`
    create function holdpoint_forget_run_event() returns trigger language plpgsql as $$
    begin
      if new.event_type <> 'personal_data_erased' and exists (
        select from erasures where kind = 'approval' and id = split_part(new.key, ':', 2)
      ) then
        new.payload := '{}';
        new.payload_salt := null;
      end if;
      return new;
    end $$`.execute(db);
  await sql`
    create trigger forget before insert or update on run_events
      for each row execute function holdpoint_forget_run_event()`.execute(db);
}

/** The same as `domain/approval/erasure.ts`, and a test holds them together. */
async function erasedForms(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function holdpoint_erased_proposal(proposal jsonb) returns jsonb
    language sql immutable as $$
      select coalesce(jsonb_object_agg(key, value) filter (where key in (
          'approval_id', 'version', 'kind', 'run_id', 'turn_index', 'agent', 'on_behalf_of',
          'route', 'risk_class'
        )), '{}') || '{"calls": [], "prompt": "[erased]", "visible_context": {}}'
      from jsonb_each(proposal)
    $$`.execute(db);
  await sql`
    create function holdpoint_erased_approval(record jsonb, erased_at timestamptz) returns jsonb
    language sql stable as $$
      select coalesce(jsonb_object_agg(key, value) filter (where key in (
          'approval_id', 'status', 'intent_id', 'asked_by', 'created_at', 'suspension_id',
          'stage', 'tier'
        )), '{}') || jsonb_build_object(
          'proposal', holdpoint_erased_proposal(record -> 'proposal'),
          'proposal_hash', repeat('0', 64),
          'proposed_hash', repeat('0', 64),
          'erased_at', coalesce(
            record ->> 'erased_at',
            to_char(erased_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
          )
        ) || case when record ? 'resolution' then jsonb_build_object('resolution', (
          select jsonb_object_agg(key, value) from jsonb_each(record -> 'resolution')
          where key in ('status', 'by', 'approvers', 'resolved_at', 'respondent', 'code')
        ) || jsonb_build_object('proposal_hash', repeat('0', 64))) else '{}' end
        || case when record ? 'redemption' then jsonb_build_object('redemption',
          jsonb_build_object(
            'checkpoint', record #> '{redemption,checkpoint}',
            'request_hash', null::text,
            'calls', '[]'::jsonb
          )
        ) else '{}' end
      from jsonb_each(record)
    $$`.execute(db);
}
