import { LIMITS } from '../../../contracts/constants/limits.js';
import type { Caller } from '../../../contracts/people/caller.js';
import type {
  DecisionRule,
  DecisionRuleRequest,
  Eligible,
  Vote,
} from '../../../contracts/suspension/decision.js';
import type { EligibilityChange } from '../../../contracts/log/journal.js';
import type { JsonObject, JsonValue } from '../../../contracts/kernel/primitives.js';
import type { Ruling } from '../../../contracts/kernel/problem.js';
import type { LadderEntry } from '../../../contracts/suspension/retry-policy.js';
import type { SuspensionRecord } from '../../../contracts/suspension/suspension.js';
import { jsonBytes, jsonEqual } from '../../kernel/json.js';
import { ok, refuse } from '../../kernel/ruling.js';
import { notesIn, validChoices } from './response.js';
import { defined } from '../../../contracts/constants/defined.js';

/** The version of a question: that of its proposal, or the number of its amendments. */
export function versionOf({
  approval,
  question_version = 1,
}: Pick<SuspensionRecord, 'approval' | 'question_version'>): number {
  return approval?.proposal.version ?? question_version;
}

/** The default: one answer by any operator or admin of the space. */
export const DEFAULT_RULE: DecisionRule = {
  eligible: {},
  excluded: [],
  quorum: 1,
  denials: [],
  veto: true,
};

/** The part of a question that its rule must fit. */
type Asked = Pick<SuspensionRecord, 'response_type' | 'choices'>;

function fault(field: string, detail: string, accepted: string): Ruling<never> {
  return refuse('invalid_decision_rule', detail, { field: `decision_rule.${field}`, accepted });
}

/**
 * Completes the rule of a request. By default one denial ends a question, and "no" denies a confirm question. With
 * several deciders the values must be known in advance. Refuses `invalid_decision_rule`.
 */
export function resolveRule(
  request: DecisionRuleRequest,
  asked: Asked,
  ladder: readonly Pick<LadderEntry, 'eligible'>[] = [],
): Ruling<DecisionRule> {
  const denials = request.denials ?? (asked.response_type === 'confirm' ? ['no'] : []);
  const rule: DecisionRule = {
    eligible: eachOnce(request.eligible ?? {}),
    excluded: [...new Set(request.excluded)],
    quorum: request.quorum ?? 1,
    denials: [...new Set(denials)],
    veto: request.veto ?? true,
  };
  const values = validChoices(asked).map(({ value }) => value);
  const stray = rule.denials.find((value) => !values.includes(value));
  if (stray !== undefined) {
    return fault('denials', 'A denial is none of the choices.', 'values of the choices');
  }
  const quorum = checkQuorum(rule, values);
  if (!quorum.ok) return quorum;
  const escalates = ladder.some(({ eligible }) => eligible !== undefined);
  return escalates || canBeReached(rule)
    ? ok(rule)
    : fault('eligible', 'Too few are eligible.', `at least ${rule.quorum} who are not excluded`);
}

function eachOnce({ principals, roles, groups }: Eligible): Eligible {
  return {
    ...(principals && { principals: [...new Set(principals)] }),
    ...(roles && { roles: [...new Set(roles)] }),
    ...(groups && { groups: [...new Set(groups)] }),
  };
}

function checkQuorum({ quorum }: DecisionRule, values: readonly string[]): Ruling<true> {
  if (quorum === 1) return ok(true);
  if (values.length === 0) {
    const detail = 'Several people can only decide a question with choices.';
    return fault('quorum', detail, '1, or a question of the type choice or confirm');
  }
  // This many votes always decide, whatever their values.
  const most = values.length * (quorum - 1) + 1;
  if (most > LIMITS.votes) {
    const accepted = `a quorum with which at most ${LIMITS.votes} votes decide between ${values.length} choices`;
    return fault('quorum', 'The question could need too many votes.', accepted);
  }
  if (values.every((value) => jsonBytes(value) <= LIMITS.voteValueBytes)) return ok(true);
  const accepted = `choices with values of at most ${LIMITS.voteValueBytes} bytes of JSON`;
  return fault('quorum', 'A value is too long for several votes.', accepted);
}

/**
 * Refuses `invalid_decision_rule` if too few eligible people, with those who have voted, could agree.
 *
 * @param voted - the principals whose votes count
 * @param askers - who asked, and for whom, with separation of duties
 */
export function checkReachable(
  record: Pick<SuspensionRecord, 'decision_rule'>,
  eligible: Eligible,
  voted: readonly string[] = [],
  askers: readonly string[] = [],
): Ruling<true> {
  const rule = ruleOf(record);
  const all = { ...eligible, principals: [...(eligible.principals ?? []), ...voted] };
  const together = isForEveryone(eligible) ? eligible : eachOnce(all);
  const excluded = [...rule.excluded, ...askers.filter((name) => !voted.includes(name))];
  if (canBeReached({ ...rule, excluded, eligible: together })) return ok(true);
  return refuse('invalid_decision_rule', 'Too few are eligible.', {
    field: 'eligible',
    accepted: `so many who are not excluded${askers.length > 0 ? ' and do not ask' : ''} that ${rule.quorum} can agree`,
  });
}

function canBeReached({ eligible, excluded, quorum }: DecisionRule): boolean {
  const { principals = [], roles = [], groups = [] } = eligible;
  if (principals.length === 0 || roles.length > 0 || groups.length > 0) return true;
  return principals.filter((name) => !excluded.includes(name)).length >= quorum;
}

/** The rule with which a question was asked, or the default. */
export function ruleOf({
  decision_rule,
  denials = [],
}: Pick<SuspensionRecord, 'decision_rule' | 'denials'>): DecisionRule {
  return decision_rule ?? { ...DEFAULT_RULE, denials };
}

/**
 * Returns the rule in force at an attempt. The latest change of who is eligible applies, by the ladder or by
 * somebody: entries of one attempt add up, and a later attempt replaces an earlier one.
 */
export function ruleInForce(
  record: Pick<SuspensionRecord, 'decision_rule' | 'retry_policy'>,
  attempt: number,
  changed?: EligibilityChange | null,
): DecisionRule {
  const rule = ruleOf(record);
  const ladder = record.retry_policy?.escalation_ladder ?? [];
  const levels = ladder.flatMap(({ attempt: from, eligible }) =>
    eligible !== undefined && from <= attempt ? [{ from, eligible }] : [],
  );
  const latest = Math.max(0, ...levels.map(({ from }) => from));
  if (changed && changed.attempt >= latest) return { ...rule, eligible: changed.eligible };
  const inForce = levels.filter(({ from }) => from === latest).map(({ eligible }) => eligible);
  return inForce.length === 0 ? rule : { ...rule, eligible: union(inForce) };
}

/** A level without names allows everyone to answer. */
function union(all: readonly Eligible[]): Eligible {
  if (all.some(isForEveryone)) return {};
  return eachOnce({
    principals: all.flatMap(({ principals = [] }) => principals),
    roles: all.flatMap(({ roles = [] }) => roles),
    groups: all.flatMap(({ groups = [] }) => groups),
  });
}

/** Whether a rule names nobody, so that everyone who may answer at all is eligible. */
export function isForEveryone({ principals = [], roles = [], groups = [] }: Eligible): boolean {
  return principals.length + roles.length + groups.length === 0;
}

/** The sender of an answer: the authenticated caller, and the person on whose behalf it answers. */
export interface Voter {
  readonly by: Caller;
  readonly responded_by: string;
}

/**
 * Refuses `not_eligible`, and `responded_by_mismatch` for an answer on another's behalf if several people decide. An
 * admin who answers for a named person is eligible.
 *
 * @param askers - who asked, and for whom, with separation of duties
 */
export function checkVoter(
  rule: DecisionRule,
  { by, responded_by }: Voter,
  askers: readonly string[] = [],
): Ruling<true> {
  const names = [by.principal, responded_by];
  if (rule.quorum > 1 && responded_by !== by.principal) {
    const detail = 'Several people decide, and each one answers for itself.';
    const accepted = 'the principal of the key, or nothing';
    return refuse('responded_by_mismatch', detail, { field: 'responded_by', accepted });
  }
  if (names.some((name) => askers.includes(name))) {
    return notEligible('Duties are separate: who asked, or is asked for, does not answer.');
  }
  if (names.some((name) => rule.excluded.includes(name))) {
    return notEligible('The decision rule excludes this principal.');
  }
  if (isEligible(rule.eligible, by) || rule.eligible.principals?.includes(responded_by)) {
    return ok(true);
  }
  return notEligible('The decision rule does not name this principal, its role or its groups.');
}

function notEligible(detail: string): Ruling<never> {
  return refuse('not_eligible', detail, { accepted: 'an answer by somebody whom the rule names' });
}

function isEligible(eligible: Eligible, { principal, roles, groups }: Caller): boolean {
  if (isForEveryone(eligible)) return true;
  return (
    eligible.principals?.includes(principal) === true ||
    eligible.roles?.some((role) => roles.includes(role)) === true ||
    eligible.groups?.some((group) => groups.includes(group)) === true
  );
}

/** Whether the last of these votes settles the question: by a veto, or by completing a quorum. */
export function isDecided(rule: DecisionRule, votes: readonly Vote[]): boolean {
  const last = votes.at(-1);
  if (last === undefined) return false;
  return (rule.veto && isDenial(rule, last.value)) || agreeing(votes, last.value) >= rule.quorum;
}

function isDenial({ denials }: DecisionRule, value: JsonValue): boolean {
  return typeof value === 'string' && denials.includes(value);
}

function agreeing(votes: readonly Vote[], value: JsonValue): number {
  return votes.filter((vote) => jsonEqual(vote.value, value)).length;
}

/** Refuses `invalid_response_schema` if several people decide: votes agree by value, so the last data would bind all. */
export function checkDataOfOne(
  isByOne: boolean,
  response_schema: JsonObject | undefined,
): Ruling<true> {
  if (response_schema === undefined || isByOne) return ok(true);
  return refuse('invalid_response_schema', 'Several people decide, and their data could differ.', {
    field: 'response_schema',
    accepted: 'nothing where more than one person has to agree',
  });
}

/** How many votes agree: the largest number for one value that does not deny. */
export function approvalsIn(rule: DecisionRule, votes: readonly Vote[]): number {
  const approving = votes.filter(({ value }) => !isDenial(rule, value));
  return Math.max(0, ...approving.map(({ value }) => agreeing(approving, value)));
}

/** The votes of a settled question. If there is only an answer in the record, it counts as one vote. */
export function votesOf(record: SuspensionRecord): readonly Vote[] {
  const { votes, resolution, response, responded_by, responded_at, submitted_by } = record;
  if (votes !== undefined || resolution !== 'responded') return votes ?? [];
  if (response === undefined || responded_by === undefined || responded_at === undefined) return [];
  const { metadata } = record;
  return [
    {
      principal: submitted_by ?? responded_by,
      actor: responded_by,
      value: response,
      ...notesIn(record),
      ...defined({ metadata }),
      question_version: versionOf(record),
      counted_at: responded_at,
    },
  ];
}

/** Returns the progress of a question's decision. `counted` are votes that the record lacks. */
export function decisionOf(
  record: SuspensionRecord,
  attempt: number,
  counted?: readonly Vote[] | null,
  changed?: EligibilityChange | null,
) {
  const rule = ruleInForce(record, attempt, changed);
  const votes = record.votes ?? (counted?.length ? counted : votesOf(record));
  return {
    rule,
    question_version: versionOf(record),
    votes,
    approvals: approvalsIn(rule, votes),
    required: rule.quorum,
  };
}
