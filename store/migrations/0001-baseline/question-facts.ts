import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';

const ANSWERED_AT = sql`case when resolution = 'responded' then settled_at end`;

/** Milliseconds from the opening of a question; an instant before it, by another clock, is the opening. */
function sinceAsked(instant: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`case when asked_at is not null and ${instant} is not null
    then greatest(0, extract(epoch from ${instant} - asked_at) * 1000)::double precision end`;
}

/**
 * What managers count of each question to people. The journal's writer derives a row from the question and its timeline, in the
 * transaction that writes these (`store/queries/question-facts.ts`), so that a count reads neither. Only `viewed_at` comes from
 * elsewhere, and may come first: then `asked_at` is null until the opening is stored. The durations, in milliseconds, are stored because
 * they take most of the time of a count.
 */
export const questionFacts = sql`
  create table question_facts (
    suspension_id text primary key,
    space text not null default 'default',
    asked_at timestamptz,
    asked_by text,
    tools text[] not null default '{}',
    groups text[] not null default '{}',
    channels text[] not null default '{}',
    resolution text,
    settled_at timestamptz,
    denied boolean not null default false,
    edited boolean not null default false,
    as_expected boolean not null default false,
    claimed_at timestamptz,
    viewed_at timestamptz,
    until_viewed double precision generated always as (
      ${sinceAsked(sql`least(viewed_at, claimed_at, ${ANSWERED_AT})`)}
    ) stored,
    until_claimed double precision generated always as (${sinceAsked(sql`claimed_at`)}) stored,
    until_answered double precision generated always as (${sinceAsked(ANSWERED_AT)}) stored
  );
  create index question_facts_by_age on question_facts (space, asked_at);
`;
