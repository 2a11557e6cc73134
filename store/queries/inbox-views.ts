import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Caller } from '../../contracts/people/caller.js';
import { authorize, mayAll } from '../../domain/policy/authorize.js';
import { toJsonText, toText } from '../column-values.js';

/** The part of an inbox that a view shows. */
export type InboxView =
  | {
      /** Open questions that the caller may answer by their rules, and has not voted on. */
      readonly kind: 'for_me';
      readonly by: Caller;
      /** Whether the asker, and the user asked for, may not answer. */
      readonly separation_of_duties: boolean;
      /** Whether the caller may answer only questions asked on its own behalf. */
      readonly as_initiator: boolean;
    }
  /** Open questions that somebody holds an unexpired claim on. */
  | { readonly kind: 'claimed'; readonly holder: string; readonly now: string }
  /** Questions on which an answer of somebody counts, open or settled. */
  | { readonly kind: 'answered'; readonly answerer: string }
  /** Questions whose rules name one of these groups, or that were delegated to one. */
  | { readonly kind: 'groups'; readonly groups: readonly string[] };

/** Returns the view of what waits for a caller; undefined if the caller may answer nothing. */
export function forMeOf(caller: Caller, separation_of_duties: boolean): InboxView | undefined {
  if (!authorize(caller, 'respond').ok) return undefined;
  const { space, principal, roles, groups } = caller;
  return {
    kind: 'for_me',
    by: { space, principal, roles, groups },
    separation_of_duties,
    as_initiator: !mayAll(caller, 'respond'),
  };
}

/** Whether a row is in a view. The columns are made by `rules` of the baseline's `suspensions.ts`. */
export function inView(view: InboxView): RawBuilder<boolean> {
  if (view.kind === 'groups') {
    const { groups } = view;
    return sql<boolean>`(${names(groups.map((group) => `g:${group}`))} or ${isForOneOf(groups)})`;
  }
  if (view.kind === 'claimed') {
    return sql<boolean>`state = 'pending' and claim ->> 'holder' = ${toText(view.holder)}
      and (claim ->> 'expires_at')::timestamptz > ${view.now}::timestamptz`;
  }
  if (view.kind === 'answered') {
    // The index leaves out what nobody has answered.
    return sql<boolean>`answered_by <> '{}' and answered_by @> ${textArray([view.answerer])}`;
  }
  const { by, separation_of_duties, as_initiator } = view;
  const me = toText(by.principal);
  const all = [
    sql<boolean>`state = 'pending' and pause_reason is null`,
    sql<boolean>`(${names(['*', ...namesOf(by)])} or ${isDelegatedTo(by)})`,
    sql<boolean>`not closed_to @> ${textArray([by.principal])}`,
  ];
  if (separation_of_duties) all.push(isNoAsker(me));
  if (as_initiator) all.push(sql`record #>> '{approval,proposal,on_behalf_of}' = ${me}`);
  return sql.join(all, sql` and `);
}

/**
 * Whether the question was delegated to a caller, by name or by a group; null if it was delegated to nobody. A group lets in
 * neither the askers nor, by its own delegation, who delegated.
 */
export function isDelegatedTo({ principal, groups }: Caller): RawBuilder<boolean> {
  const [me, all] = [toText(principal), toJsonText([principal])];
  const byName = sql<boolean>`delegates @> ${all}::jsonb`;
  if (groups.length === 0) return byName;
  return sql<boolean>`(
    ${byName} or (
      ${isForOneOf(groups)} and ${isNoAsker(me)} and exists (
        select from jsonb_each(delegate_groups) passed (name, makers)
        where name = any(${textArray(groups)}) and makers <> ${all}::jsonb
      )
    )
  )`;
}

/** Whether the question was delegated to one of these groups; null if it was delegated to none. */
function isForOneOf(groups: readonly string[]): RawBuilder<boolean> {
  return sql<boolean>`delegate_groups ?| ${textArray(groups)}`;
}

/** Whether a principal has not asked the question, in whatever name, and is not the user that it was asked for. */
function isNoAsker(me: string): RawBuilder<boolean> {
  return sql<boolean>`asked_by <> ${me} and asked_as is distinct from ${me}
    and record ->> 'on_behalf_of' is distinct from ${me}`;
}

/** Whether the rule of a row names one of these. */
function names(any: readonly string[]): RawBuilder<boolean> {
  return sql<boolean>`eligible && ${textArray(any)}`;
}

/** The names by which a rule may name a caller. */
function namesOf({ principal, roles, groups }: Caller): readonly string[] {
  return [
    `p:${principal}`,
    ...roles.map((role) => `r:${role}`),
    ...groups.map((group) => `g:${group}`),
  ];
}

/** Returns texts as a parameter of SQL. */
export function textArray(values: readonly string[]): RawBuilder<unknown> {
  return sql`${values.map(toText)}::text[]`;
}
