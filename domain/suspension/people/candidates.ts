import type { Directory } from '../../../contracts/people/directory.js';
import type { Candidate, CandidateGroup, Candidates } from '../../../contracts/suspension/verbs.js';
import type { SuspensionView } from '../../../contracts/suspension/view.js';
import { groupsIn, groupsOf, personNamed } from '../../directory/directory.js';
import type { KnownPeople } from '../../directory/known-people.js';
import { checkVoter, isForEveryone } from '../answering/decision.js';
import { askersOf } from '../answering/resume.js';
import { checkTaker } from './delegation.js';

export interface PeopleHere {
  readonly space: string;
  /** If present, questions can be delegated only to its people. */
  readonly directory: Directory | undefined;
  /** Who can answer by a key or a token; undefined if that is not looked up. */
  readonly known: KnownPeople | undefined;
  /** The principals whose keys never allow an answer for others. */
  readonly mute: Pick<ReadonlySet<string>, 'has'>;
}

export interface CandidateQuery {
  /** Beginnings of words in a name, a principal or a group; empty for everybody. */
  readonly text: string;
  readonly limit: number;
}

const NO_WORD = /[^\p{L}\p{N}]/u;

function wordsOf(text: string): readonly string[] {
  const plain = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return plain.split(NO_WORD);
}

function groupsOfPerson({ directory, known }: PeopleHere, principal: string): readonly string[] {
  const listed = directory ? groupsOf(directory, principal) : [];
  const signedIn = [...(known?.members ?? [])].flatMap(([group, members]) =>
    members.has(principal) ? [group] : [],
  );
  return [...new Set([...listed, ...signedIn])].sort();
}

function namesOf({ space, directory, known }: PeopleHere): readonly string[] {
  if (directory === undefined) return [...(known?.principals ?? [])];
  return Object.keys(directory.people).filter((name) => directory.people[name]?.space === space);
}

/** Whether each typed word begins a word of one of these names. */
function isMeant(names: readonly string[], typed: readonly string[]): boolean {
  const own = names.flatMap(wordsOf);
  return typed.every((word) => own.some((each) => each.startsWith(word)));
}

/** Orders people whom the rule allows to answer anyway before others, then by name. */
function inPlace<C extends Pick<Candidate, 'may_answer'>>(
  all: readonly C[],
  nameOf: (one: C) => string,
): readonly C[] {
  const placeOf = (one: C) => [one.may_answer ? 0 : 1, ...wordsOf(nameOf(one))].join(' ');
  return [...all].sort((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1));
}

/**
 * The known members of a group, by the directory and by past sign-ins, who are in this space and may answer for
 * others.
 */
function membersOf({ directory, known, mute }: PeopleHere, group: string, here: Set<string>) {
  const all = new Set([...(directory?.groups[group] ?? []), ...(known?.members.get(group) ?? [])]);
  return [...all].filter((name) => here.has(name) && !mute.has(name));
}

/** Returns the groups to which `by` may delegate a question: those with a member who could then answer. */
function groupsFor(
  { record, rule, ...asked }: Delegable,
  by: string,
  here: PeopleHere,
  typed: readonly string[],
): readonly CandidateGroup[] {
  const { directory, known, space } = here;
  const askers = askersOf({ record, ...asked });
  const names = directory ? groupsIn(directory, space) : [...(known?.groups ?? [])];
  const people = new Set(namesOf(here));
  const { eligible } = rule;
  const found = names
    .filter((group) => isMeant([group], typed))
    .flatMap((group) => {
      const members = membersOf(here, group, people);
      const isOfUse = members.some((name) => checkTaker(record, askers, by, name).ok);
      const may_answer = isForEveryone(eligible) || eligible.groups?.includes(group) === true;
      return isOfUse ? [{ group, members: members.length, may_answer }] : [];
    });
  return inPlace(found, ({ group }) => group);
}

type Delegable = Pick<SuspensionView, 'record' | 'rule' | 'asked_by' | 'asked_as'>;

/**
 * Returns the people and groups to whom `by` may delegate: first those whom its rule allows to answer anyway, then by
 * name. People who only have roles come first only if the rule is for everybody, because the roles of absent people
 * are not known.
 *
 * @param by - the principal that delegates
 */
export function delegationCandidates(
  question: Delegable,
  by: string,
  here: PeopleHere,
  { text, limit }: CandidateQuery,
): Candidates {
  const { record, rule } = question;
  const askers = askersOf(question);
  const typed = wordsOf(text);
  const found = namesOf(here)
    .filter((name) => !here.mute.has(name) && checkTaker(record, askers, by, name).ok)
    .map((principal) => {
      const groups = groupsOfPerson(here, principal);
      const voter = { space: here.space, principal, roles: [], groups };
      const may_answer = checkVoter(rule, { by: voter, responded_by: principal }).ok;
      const name = personNamed(here.directory, principal, here.space)?.name;
      return { principal, ...(name !== undefined && { name }), groups, may_answer };
    })
    .filter(({ principal, name, groups }) =>
      isMeant([principal, name ?? principal, ...groups], typed),
    );
  const people = inPlace(found, ({ name, principal }) => name ?? principal);
  const groups = groupsFor(question, by, here, typed);
  return {
    candidates: people.slice(0, limit),
    groups: groups.slice(0, limit),
    more: people.length > limit || groups.length > limit,
  };
}
