import type { Caller } from '../../contracts/caller.js';
import type { Eligible } from '../../contracts/decision.js';
import type { Directory } from '../../contracts/directory.js';
import type { Ruling } from '../../contracts/problem.js';
import type { SuspensionDraft } from '../../contracts/suspension.js';
import { ok, refuse } from '../kernel/ruling.js';
import { quoted } from '../kernel/text.js';
import { hintFrom, recipientsNamed } from './directory.js';

/** Somebody who can answer. */
export interface Answering extends Pick<Caller, 'space' | 'principal' | 'groups'> {
  /** Only approvals of what is done in its name. */
  readonly only_own?: boolean;
}

/** Who can answer in a space, as far as an installation knows it. */
export interface KnownPeople {
  readonly principals: ReadonlySet<string>;
  readonly groups: ReadonlySet<string>;
  /** Who has a key and may at least decide approvals of what is done in its name. */
  readonly initiators: ReadonlySet<string>;
  /** The principals of each group. */
  readonly members: ReadonlyMap<string, ReadonlySet<string>>;
  /** Whether there is nobody else: no issuer signs people in that nobody here has heard of. */
  readonly isComplete: boolean;
}

/** A name in a question, or in what is done to it. */
interface Named {
  readonly field: string;
  readonly kind: 'principals' | 'groups';
  readonly name: string;
}

/**
 * Who can answer in a space: those with a key that lets them, and the people of the directory.
 *
 * @param answering - who may answer, by a key or a token
 */
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

/** Whom a question lets answer, at first and on each rung of its ladder. */
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

/** So many unknown names are told of; a question may name hundreds. */
const MOST_TOLD = 10;

/** Refuses the first name that nobody here has, where all are known; warns where an issuer may know others. */
function judge(named: readonly Named[], known: KnownPeople, hints?: Hints): Ruling<Warnings> {
  const unknown = named.filter((one) => isUnknown(one, known)).slice(0, MOST_TOLD);
  const said = unknown.map((one) => `${saidOf(one, known)}${hints?.(one) ?? ''}`);
  const [first] = unknown;
  if (first === undefined || !known.isComplete) return ok(said);
  const accepted = 'who can answer here: by a key, or as a person or group of the directory';
  return refuse('unknown_principal', said[0] ?? NOBODY, { field: first.field, accepted });
}

type Warnings = readonly string[];
type Hints = (named: Named) => string;

/** Names who was probably meant. Only for people who may know who is there. */
function hintsFrom(known: KnownPeople): Hints {
  return ({ kind, name }) => hintFrom(known[kind], name);
}

/**
 * Judges whom a question names, before it is asked: at first, on each rung, and as excluded. Refuses `unknown_principal` where
 * nobody can have the name, and else returns warnings. Who is there is not for agents, so nobody is suggested.
 */
export function checkNamed(asked: Rules, known: KnownPeople): Ruling<Warnings> {
  const eligible = judge(eligibleIn(asked), known);
  if (!eligible.ok) return eligible;
  const { excluded = [] } = asked.decision_rule ?? {};
  const missing = excluded.filter((name) => !known.principals.has(name));
  return ok([...eligible.value, ...missing.slice(0, MOST_TOLD).map(excludesNobody)]);
}

/** Says that nobody has judged whom a question names, for it is not known who can answer. */
export function unchecked(asked: Rules): Warnings {
  return eligibleIn(asked).length === 0 ? [] : [UNCHECKED];
}

const UNCHECKED =
  'Nobody has checked whether the names that may answer are known: the worker does not know now who has a key.';

function excludesNobody(name: string): string {
  return `The rule excludes ${quoted(name)}, and no key and no entry of the directory has this name.`;
}

/** Says whom a question names that is asked all the same, and nobody here knows. */
export function unknownNames(asked: Rules, known: KnownPeople): Warnings {
  return warningsOf(eligibleIn(asked), known);
}

/** The same of names by which somebody is eligible. */
export function unknownIn(eligible: Eligible, known: KnownPeople): Warnings {
  return warningsOf(namedIn(eligible, ''), known);
}

/**
 * Says whom a ladder is to notify that nobody here knows, where there is no directory. It is not refused: the name may be one that
 * only the channel knows.
 */
export function unheard(
  ladder: readonly { readonly notify_to?: unknown }[],
  known: KnownPeople,
): Warnings {
  const names = ladder.flatMap(({ notify_to: name }) =>
    typeof name === 'string' && name !== '' ? [name] : [],
  );
  return [...new Set(names)]
    .filter((name) => !known.principals.has(name) && !known.groups.has(name))
    .slice(0, MOST_TOLD)
    .map(
      (name) =>
        `No key has the name ${quoted(name)}, whom the ladder is to notify; only a channel may know it.`,
    );
}

function warningsOf(named: readonly Named[], known: KnownPeople): Warnings {
  const unknown = named.filter((one) => isUnknown(one, known)).slice(0, MOST_TOLD);
  return unknown.map((one) => saidOf(one, known));
}

function saidOf(named: Named, { isComplete }: KnownPeople): string {
  return `${NOBODY} ${what(named)} answer${isComplete ? '.' : '; the issuer may.'}`;
}

/**
 * Judges a user in whose name an agent acts, and who alone is to decide on that. Refuses `unknown_principal`; nobody is suggested to
 * agents.
 */
export function checkInitiator(decider: string, known: KnownPeople): Ruling<Warnings> {
  const { initiators, principals } = known;
  const named: Named = { field: 'decider', kind: 'principals', name: decider };
  return judge([named], { ...known, principals: new Set([...principals, ...initiators]) });
}

/** Judges who is to be eligible from now on, for somebody who may know who is there. Refuses `unknown_principal`. */
export function checkEligible(eligible: Eligible, known: KnownPeople): Ruling<Warnings> {
  return judge(namedIn(eligible, 'eligible'), known, hintsFrom(known));
}

/**
 * Says of whom a question is passed on to that nobody here knows it, and who was probably meant. It is done all the same: whoever
 * did it takes it back, and may know of a key that is about to be there.
 */
export function unknownTaker(to: string, known: KnownPeople): Warnings {
  const named: Named = { field: 'to', kind: 'principals', name: to };
  if (!isUnknown(named, known)) return [];
  return [`${saidOf(named, known)}${hintsFrom(known)(named)}`];
}
