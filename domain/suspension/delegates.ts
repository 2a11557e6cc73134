import type { DecisionRule } from '../../contracts/decision.js';
import type { Delegation } from '../../contracts/suspension-verbs.js';
import type { TimelineEntry } from '../../contracts/suspension.js';
import { isForEveryone, ruleInForce } from './decision.js';
import type { SuspensionState } from './state.js';
import { textIn } from './verb.js';
import type { Deed } from './verb.js';

/** A rule with those besides to whom the question was delegated. Where everybody may answer, they may anyway. */
export function withDelegates(
  rule: DecisionRule,
  delegates: readonly string[] | null = [],
): DecisionRule {
  if (!delegates?.length || isForEveryone(rule.eligible)) return rule;
  const principals = [...new Set([...(rule.eligible.principals ?? []), ...delegates])];
  return { ...rule, eligible: { ...rule.eligible, principals } };
}

/** The rule by which an answer is judged now: at its attempt, with what people have changed since. */
export function currentRule({
  record,
  attempt,
  eligibility,
  delegates,
}: SuspensionState): DecisionRule {
  return withDelegates(ruleInForce(record, attempt, eligibility), delegates);
}

/** What an entry of a timeline says. */
type Told = Pick<TimelineEntry, 'kind' | 'detail'>;

/** Who is to answer by the last delegation of one person, and the entry that says so. */
interface Standing {
  readonly to: string;
  readonly entry: Told;
  /** Whether who made it had not got the question by a delegation itself. */
  readonly isFirstHand: boolean;
}

/**
 * The delegations that still permit something, by who passed the question on. Each person has one at most: the next takes its
 * place, and a release takes it back. What is taken back ends what was passed on from there. An admin who changes who is
 * eligible ends all.
 */
function standingIn(timeline: readonly Told[]): Map<string, Standing> {
  const standing = new Map<string, Standing>();
  for (const entry of timeline) {
    const passed = passedOnBy(entry);
    if (passed) {
      const { by, to } = passed;
      if (standing.get(by)?.to !== to) withdraw(standing, by);
      const before = standing.get(by);
      const isFirstHand = before?.isFirstHand ?? !isReached(standing, by);
      standing.set(by, { to, entry, isFirstHand });
    }
    const backTo = textIn(entry, 'released_by');
    if (entry.kind === 'released' && entry.detail['taken_back'] === true && backTo !== undefined) {
      withdraw(standing, backTo);
    }
    if (entry.kind === 'eligibility_changed') standing.clear();
  }
  return standing;
}

function passedOnBy(entry: Told): { by: string; to: string } | undefined {
  const [by, to] = [textIn(entry, 'delegated_by'), textIn(entry, 'to')];
  return entry.kind === 'delegated' && by !== undefined && to !== undefined
    ? { by, to }
    : undefined;
}

function isReached(standing: ReadonlyMap<string, Standing>, principal: string): boolean {
  return [...standing.values()].some(({ to }) => to === principal);
}

/**
 * Takes back what somebody passed on, and what was passed on from there. Two who have passed it on to each other do not keep it
 * for themselves: what is left goes back to somebody who had the question first.
 */
function withdraw(standing: Map<string, Standing>, by: string): void {
  standing.delete(by);
  const all = [...standing];
  const reached = new Set(all.flatMap(([, { to, isFirstHand }]) => (isFirstHand ? [to] : [])));
  // A set also gives out what is added while it is looked through.
  for (const principal of reached) {
    const passed = standing.get(principal);
    if (passed) reached.add(passed.to);
  }
  for (const [giver, { isFirstHand }] of all) {
    if (!isFirstHand && !reached.has(giver)) standing.delete(giver);
  }
}

/** The delegations that a timeline tells of, oldest first, but for those that were erased. */
export function delegationsIn(timeline: readonly TimelineEntry[]): readonly Delegation[] {
  const standing = standingIn(timeline);
  return timeline.flatMap((entry) => {
    const passed = passedOnBy(entry);
    if (passed === undefined) return [];
    const in_force = standing.get(passed.by)?.entry === entry;
    return [{ ...passed, reason: textIn(entry, 'reason') ?? '', at: entry.at, in_force }];
  });
}

/** Whom somebody has passed the question on to, if that still stands. */
export function delegateOf(timeline: readonly TimelineEntry[], by: string): string | undefined {
  return standingIn(timeline).get(by)?.to;
}

/** To whom a question is passed on, as its timeline tells it. */
export function delegatesIn(timeline: readonly Told[]): readonly string[] {
  return [...new Set([...standingIn(timeline).values()].map(({ to }) => to))];
}

/** Who may answer besides once one more thing was done to the question; nobody leaves no trace in its state. */
export function delegatesAfter(
  timeline: readonly TimelineEntry[],
  [kind, detail]: NonNullable<Deed['entry']>,
): Pick<SuspensionState, 'delegates'> {
  const delegates = delegatesIn([...timeline, { kind, detail }]);
  return delegates.length > 0 ? { delegates } : {};
}
