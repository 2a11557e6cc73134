import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Caller } from '../../contracts/caller.js';
import { toJsonText, toText } from '../column-values.js';

/** Which of the questions that a filter finds a view shows, and to whom. */
export type InboxView =
  | {
      /** Open questions that the caller may answer by their rules, and has no vote in. */
      readonly kind: 'for_me';
      readonly by: Caller;
      /** Whether who asked, or is asked for, may not answer. */
      readonly separation_of_duties: boolean;
      /** Whether the caller may answer only what was asked for itself. */
      readonly as_initiator: boolean;
    }
  /** Open questions that somebody has claimed, as long as that counts. */
  | { readonly kind: 'claimed'; readonly holder: string; readonly now: string }
  /** Questions whose rules name one of these groups. */
  | { readonly kind: 'groups'; readonly groups: readonly string[] };

/** Whether a row is in a view. The columns are made by `0041-inbox-views.ts`. */
export function inView(view: InboxView): RawBuilder<boolean> {
  if (view.kind === 'groups') return names(view.groups.map((group) => `g:${group}`));
  if (view.kind === 'claimed') {
    return sql<boolean>`state = 'pending' and claim ->> 'holder' = ${toText(view.holder)}
      and (claim ->> 'expires_at')::timestamptz > ${view.now}::timestamptz`;
  }
  const { by, separation_of_duties, as_initiator } = view;
  const me = toText(by.principal);
  const all = [
    sql<boolean>`state = 'pending' and pause_reason is null`,
    sql<boolean>`(${names(['*', ...namesOf(by)])} or ${isDelegatedTo(by)})`,
    sql<boolean>`not closed_to @> ${textArray([by.principal])}`,
  ];
  if (separation_of_duties) {
    all.push(sql`asked_by <> ${me} and asked_as is distinct from ${me}
      and record ->> 'on_behalf_of' is distinct from ${me}`);
  }
  if (as_initiator) all.push(sql`record #>> '{approval,proposal,on_behalf_of}' = ${me}`);
  return sql.join(all, sql` and `);
}

/** Whether somebody has passed the question on to a caller; null if nobody has to anybody. */
function isDelegatedTo({ principal }: Caller): RawBuilder<boolean> {
  return sql<boolean>`delegates @> ${toJsonText([principal])}::jsonb`;
}

/** Whether the rule of a row names one of these. */
function names(any: readonly string[]): RawBuilder<boolean> {
  return sql<boolean>`eligible && ${textArray(any)}`;
}

/** What a rule may call a caller. */
function namesOf({ principal, roles, groups }: Caller): readonly string[] {
  return [
    `p:${principal}`,
    ...roles.map((role) => `r:${role}`),
    ...groups.map((group) => `g:${group}`),
  ];
}

/** Texts as a parameter of SQL. */
export function textArray(values: readonly string[]): RawBuilder<unknown> {
  return sql`${values.map(toText)}::text[]`;
}
