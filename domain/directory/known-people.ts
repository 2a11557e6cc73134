import type { Caller } from '../../contracts/people/caller.js';
import type { Eligible } from '../../contracts/suspension/decision.js';
import type { Directory } from '../../contracts/people/directory.js';
import type { Ruling } from '../../contracts/kernel/problem.js';
import type { DelegationTarget } from '../../contracts/suspension/verbs.js';
import type { SuspensionDraft } from '../../contracts/suspension/suspension.js';
import { ok, refuse } from '../kernel/ruling.js';
import { quoted } from '../kernel/text.js';
import { hintFrom, recipientsNamed } from './directory.js';

export interface Answering extends Pick<Caller, 'space' | 'principal' | 'groups'> {
  /** Whether they answer only approvals of actions on their behalf. */
  readonly only_own?: boolean;
}

export interface KnownPeople {
  readonly principals: ReadonlySet<string>;
  readonly groups: ReadonlySet<string>;
  /** Principals with a key that may at least decide approvals of actions on their behalf. */
  readonly initiators: ReadonlySet<string>;
  readonly members: ReadonlyMap<string, ReadonlySet<string>>;
  /** Whether nobody else can answer, because no issuer signs in people who are not listed. */
  readonly isComplete: boolean;
}

/** A name in a question or a change of it. */
interface Named {
  readonly field: string;
  readonly kind: 'principals' | 'groups';
  readonly name: string;
}

/** Returns who can answer in a space: principals with a suitable key or token, and the people of the directory. */
export function knownPeople(
  space: string,
  answering: readonly Answering[],
  { people = {}, groups = {} }: Partial<Directory> = {},
  isComplete = true,
): KnownPeople {
  const here = answering.filter((caller) => caller.space === space);
  const own = here.filter(({ only_own }) => only_own !== true);
  const listed = Object.keys(people).filter((name) => people[name]?.space === space);
  const members = new Map<string, Set<string>>();
  const add = (group: string, principal: string) =>
    members.set(group, (members.get(group) ?? new Set()).add(principal));
  for (const caller of own) for (const group of caller.groups) add(group, caller.principal);
  for (const group of Object.keys(groups)) {
    const inGroup = recipientsNamed({ people, groups }, group, space);
    for (const { principal } of inGroup) add(group, principal);
  }
  return {
    principals: new Set([...own.map(({ principal }) => principal), ...listed]),
    groups: new Set(members.keys()),
    initiators: new Set(here.map(({ principal }) => principal)),
    members,
    isComplete,
  };
}

function namedIn(eligible: Eligible, field: string): readonly Named[] {
  return (['principals', 'groups'] as const).flatMap((kind) =>
    (eligible[kind] ?? []).map((name, index) => ({
      field: `${field}.${kind}[${index}]`,
      kind,
      name,
    })),
  );
}

/** The people who may answer a question, at first and on each rung of its ladder. */
function eligibleIn({ decision_rule, retry_policy }: Rules): readonly Named[] {
  const ladder = retry_policy?.escalation_ladder ?? [];
  return [
    ...namedIn(decision_rule?.eligible ?? {}, 'decision_rule.eligible'),
    ...ladder.flatMap(({ eligible = {} }, index) =>
      namedIn(eligible, `retry_policy.escalation_ladder[${index}].eligible`),
    ),
  ];
}

type Rules = Pick<SuspensionDraft, 'decision_rule' | 'retry_policy'>;

function isUnknown({ kind, name }: Named, known: KnownPeople): boolean {
  return !known[kind].has(name);
}

function what({ kind, name }: Named): string {
  return `the ${kind === 'groups' ? 'group' : 'principal'} ${quoted(name)}`;
}

const NOBODY = 'No key and no entry of the directory lets';

/** The most unknown names in a list; a question may name hundreds. */
const MOST_SHOWN = 10;

/** Refuses the first unknown name if all people are known; otherwise warns, because an issuer may know it. */
function judge(named: readonly Named[], known: KnownPeople, hints?: Hints): Ruling<Warnings> {
  const unknown = named.filter((one) => isUnknown(one, known)).slice(0, MOST_SHOWN);
  const said = unknown.map((one) => `${saidOf(one, known)}${hints?.(one) ?? ''}`);
  const [first] = unknown;
  if (first === undefined || !known.isComplete) return ok(said);
  const accepted = 'who can answer here: by a key, or as a person or group of the directory';
  return refuse('unknown_principal', said[0] ?? NOBODY, { field: first.field, accepted });
}

type Warnings = readonly string[];
type Hints = (named: Named) => string;

/** Suggests the name that was probably meant, only to people who may know the other names. */
function hintsFrom(known: KnownPeople): Hints {
  return ({ kind, name }) => hintFrom(known[kind], name);
}

/**
 * Judges the people that a question names before it is asked, at first, on each rung, and as excluded. Refuses
 * `unknown_principal` if nobody can have the name; otherwise returns warnings. Agents get no suggestions.
 */
export function checkNamed(asked: Rules, known: KnownPeople): Ruling<Warnings> {
  const eligible = judge(eligibleIn(asked), known);
  if (!eligible.ok) return eligible;
  const { excluded = [] } = asked.decision_rule ?? {};
  const missing = excluded.filter((name) => !known.principals.has(name));
  return ok([...eligible.value, ...missing.slice(0, MOST_SHOWN).map(excludesNobody)]);
}

/** Warns that the people of a question were not checked, because it is not known who can answer. */
export function unchecked(asked: Rules): Warnings {
  return eligibleIn(asked).length === 0 ? [] : [UNCHECKED];
}

const UNCHECKED =
  'Nobody has checked whether the names that may answer are known: the worker does not know now who has a key.';

function excludesNobody(name: string): string {
  return `The rule excludes ${quoted(name)}, and no key and no entry of the directory has this name.`;
}

/** Warns of unknown people in a question that is asked nevertheless. */
export function unknownNames(asked: Rules, known: KnownPeople): Warnings {
  return warningsOf(eligibleIn(asked), known);
}

export function unknownIn(eligible: Eligible, known: KnownPeople): Warnings {
  return warningsOf(namedIn(eligible, ''), known);
}

/** Warns of unknown recipients of a ladder. Without a directory only the channel may know them. */
export function unheard(
  ladder: readonly { readonly notify_to?: unknown }[],
  known: KnownPeople,
): Warnings {
  const names = ladder.flatMap(({ notify_to: name }) =>
    typeof name === 'string' && name !== '' ? [name] : [],
  );
  return [...new Set(names)]
    .filter((name) => !known.principals.has(name) && !known.groups.has(name))
    .slice(0, MOST_SHOWN)
    .map(
      (name) =>
        `No key has the name ${quoted(name)}, whom the ladder is to notify; only a channel may know it.`,
    );
}

function warningsOf(named: readonly Named[], known: KnownPeople): Warnings {
  const unknown = named.filter((one) => isUnknown(one, known)).slice(0, MOST_SHOWN);
  return unknown.map((one) => saidOf(one, known));
}

function saidOf(named: Named, { isComplete }: KnownPeople): string {
  return `${NOBODY} ${what(named)} answer${isComplete ? '.' : '; the issuer may.'}`;
}

/** Judges the user who alone decides about an agent's actions on their behalf. Refuses `unknown_principal`. */
export function checkInitiator(
  decider: string,
  known: KnownPeople,
  field = 'decider',
): Ruling<Warnings> {
  const { initiators, principals } = known;
  const named: Named = { field, kind: 'principals', name: decider };
  return judge([named], { ...known, principals: new Set([...principals, ...initiators]) });
}

/** Judges a change of who is eligible, requested by somebody who may know the names. Refuses `unknown_principal`. */
export function checkEligible(eligible: Eligible, known: KnownPeople): Ruling<Warnings> {
  return judge(namedIn(eligible, 'eligible'), known, hintsFrom(known));
}

/**
 * Warns of an unknown delegate, with the likely name. The delegation is valid: the delegate may get a key later, and
 * the delegation can be revoked.
 */
export function unknownTaker({ to, to_group }: DelegationTarget, known: KnownPeople): Warnings {
  const named: Named =
    to_group === undefined
      ? { field: 'to', kind: 'principals', name: to ?? '' }
      : { field: 'to_group', kind: 'groups', name: to_group };
  if (!isUnknown(named, known)) return [];
  return [`${saidOf(named, known)}${hintsFrom(known)(named)}`];
}
