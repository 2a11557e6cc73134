import type { Eligible } from '../../contracts/suspension/decision.js';
import type { Ruling } from '../../contracts/kernel/problem.js';
import type { SuspensionDraft } from '../../contracts/suspension/suspension.js';
import { ok, refuse } from '../kernel/ruling.js';
import { DEFAULT_RULE, isForEveryone } from '../suspension/answering/decision.js';
import type { KnownPeople } from './known-people.js';

type Rules = Pick<SuspensionDraft, 'decision_rule' | 'retry_policy'>;

/** How many people may answer by a rule, and how many of them remain. */
interface Reach {
  readonly meant: number;
  readonly left: number;
  /** Whether the rule lists each of them, so that nobody else is included. */
  readonly isListed: boolean;
}

/** Returns undefined if unknown people may be included. */
function reachOf(
  eligible: Eligible,
  without: readonly string[],
  known: KnownPeople | undefined,
): Reach | undefined {
  const { principals = [], roles = [], groups = [] } = eligible;
  const isListed = principals.length > 0 && roles.length + groups.length === 0;
  if (!isListed && (known?.isComplete !== true || roles.length > 0)) return undefined;
  const members = groups.flatMap((group) => [...(known?.members.get(group) ?? [])]);
  const named = [...new Set([...principals, ...members])];
  const meant = isForEveryone(eligible) ? [...(known?.principals ?? [])] : named;
  const left = meant.filter((name) => !without.includes(name)).length;
  return { meant: meant.length, left, isListed };
}

/**
 * Judges whether anybody remains to answer. Refuses `invalid_decision_rule` if nobody does, at first and on each
 * rung; warns if fewer are known than must agree.
 *
 * @param askers - who asks, and for whom, with separation of duties
 * @param known - who can answer; undefined if unknown
 */
export function checkReach(
  { decision_rule = DEFAULT_RULE, retry_policy }: Rules,
  askers: readonly string[],
  known?: KnownPeople,
): Ruling<readonly string[]> {
  const { eligible, excluded, quorum } = decision_rule;
  const ladder = retry_policy?.escalation_ladder ?? [];
  const levels = [eligible, ...ladder.flatMap((rung) => (rung.eligible ? [rung.eligible] : []))];
  const reaches = levels.map((level) => reachOf(level, [...excluded, ...askers], known));
  if (reaches.some((reach) => reach === undefined)) return ok([]);
  const all = reaches.filter((reach) => reach !== undefined);
  // People of several rungs may have to agree together.
  const least = all.length === 1 && all[0]?.isListed === true ? quorum : 1;
  if (all.every(({ meant, left }) => meant > 0 && left < least)) return nobodyLeft(quorum, askers);
  const most = Math.max(...all.map(({ left }) => left));
  return ok(most < quorum && most > 0 ? [tooFew(most, quorum)] : []);
}

/** Returns all unusual facts about who can answer, as sentences; refuses nothing. */
export function reachWarnings(
  rules: Rules,
  askers: readonly string[],
  known?: KnownPeople,
): readonly string[] {
  const reach = checkReach(rules, askers, known);
  return reach.ok ? reach.value : [reach.refusal.detail];
}

function nobodyLeft(quorum: number, askers: readonly string[]): Ruling<never> {
  const separate = 'Duties are separate: who asks, or is asked for, does not answer. ';
  const detail = `${askers.length > 0 ? separate : ''}Too few others are eligible.`;
  return refuse('invalid_decision_rule', detail, {
    field: 'decision_rule.eligible',
    accepted: `at least ${quorum} who are not excluded and do not ask`,
  });
}

function tooFew(left: number, quorum: number): string {
  return `${quorum} people have to agree, and only ${left} of those who may are known here.`;
}
