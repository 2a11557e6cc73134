import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/**
 * Whom the rule of a question names, as it is in force: `*` for everybody, or `p:`, `r:` and `g:` with the names of
 * principals, roles and groups. And to whom a question is closed although it may name them: who is excluded, and who has
 * voted. They follow `ruleInForce` of `domain/suspension/decision.ts`, and a test holds them together. Both are generated, for
 * the rows that fill a suspension arrive in any order.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await names(db);
  await rules(db);
  await sql`
    alter table suspensions
      add column eligible text[] not null generated always as (
        case
          when eligibility is null and record -> 'decision_rule' is null
            and record #> '{retry_policy,escalation_ladder}' is null then '{*}'::text[]
          else holdpoint_eligible(record, attempt, eligibility)
        end
      ) stored,
      add column closed_to text[] not null generated always as (
        case
          when votes is null and record -> 'decision_rule' is null then '{}'::text[]
          else holdpoint_closed_to(record, votes)
        end
      ) stored`.execute(db);
  await sql`create index suspensions_by_eligible on suspensions using gin (eligible)`.execute(db);
}

/** The elements of a list in JSON, none if there is no list; and the names that one `eligible` has. */
async function names(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function holdpoint_elements(list jsonb) returns setof jsonb
    language sql immutable parallel safe as $$
      select jsonb_array_elements(case jsonb_typeof(list) when 'array' then list else '[]' end)
    $$`.execute(db);
  await sql`
    create function holdpoint_named(eligible jsonb) returns text[]
    language sql immutable parallel safe as $$
      select coalesce(array_agg(prefix || (name #>> '{}')), '{}')
      from (values ('principals', 'p:'), ('roles', 'r:'), ('groups', 'g:')) kinds (kind, prefix)
      cross join lateral holdpoint_elements(eligible -> kind) name
    $$`.execute(db);
}

async function rules(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function holdpoint_eligible(record jsonb, attempt integer, changed jsonb) returns text[]
    language sql immutable parallel safe as $$
      with levels as (
        select (rung ->> 'attempt')::integer as level, rung -> 'eligible' as eligible
        from holdpoint_elements(record #> '{retry_policy,escalation_ladder}') rung
        where rung ? 'eligible' and (rung ->> 'attempt')::integer <= attempt
      ), latest as (
        select coalesce(max(level), 0) as level from levels
      ), in_force as (
        select changed -> 'eligible' as eligible from latest
        where (changed ->> 'attempt')::integer >= level
        union all
        select eligible from levels join latest using (level)
        where changed is null or (changed ->> 'attempt')::integer < level
        union all
        select record #> '{decision_rule,eligible}' from latest where changed is null and level = 0
      )
      select case
        when bool_or(cardinality(holdpoint_named(eligible)) = 0) then '{*}'
        else (
          select array_agg(distinct name) from in_force
          cross join lateral unnest(holdpoint_named(eligible)) name
        )
      end
      from in_force
    $$`.execute(db);
  await sql`
    create function holdpoint_closed_to(record jsonb, votes jsonb) returns text[]
    language sql immutable parallel safe as $$
      select coalesce(array_agg(distinct name) filter (where name is not null), '{}')
      from (
        select name #>> '{}' as name
        from holdpoint_elements(record #> '{decision_rule,excluded}') name
        union all
        select vote ->> 'principal' from holdpoint_elements(votes) vote
      ) closed
    $$`.execute(db);
}
