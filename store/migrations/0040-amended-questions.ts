import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/** What is left of an erased record says too which version it was, and when it was amended last. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function holdpoint_erased_record(record jsonb, erased_at timestamptz)
    returns jsonb language sql stable as $$
      select jsonb_build_object(
          'question', '[erased]',
          'erased_at', coalesce(
            record ->> 'erased_at',
            to_char(erased_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
          )
        ) || coalesce(jsonb_object_agg(key, value) filter (where key in (
          'id', 'response_type', 'suspended_at', 'timeout_seconds', 'expires_at', 'fallback_policy',
          'question_version', 'amended_at', 'responded_at', 'resolution', 'responded_by',
          'submitted_by', 'settled_by', 'settled_at'
        )), '{}')
      from jsonb_each(record)
    $$`.execute(db);
}
