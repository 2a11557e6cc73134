import type {
  ApprovalPart,
  EditedCall,
  Proposal,
  ProposedCall,
} from '../../../contracts/approval/approval.js';
import type { Judgement } from '../../../contracts/approval/judging.js';
import type { ApprovalRule } from '../../../contracts/approval/rules.js';
import { APPROVAL_ROUTES, type RiskClass } from '../../../contracts/constants/approvals.js';
import { LIMITS } from '../../../contracts/constants/limits.js';
import type { JsonObject } from '../../../contracts/kernel/primitives.js';
import type { Ruling } from '../../../contracts/kernel/problem.js';
import { jsonBytes, jsonEqual, visitsOf } from '../../kernel/json.js';
import { ok, refuse } from '../../kernel/ruling.js';
import { isUnsound } from '../../kernel/text.js';
import { checkSchema } from '../../schema/checks.js';
import { JudgingBudget, judgeBySchema } from '../../schema/judge.js';
import { checkProposal, editedProposal, hashOf, higherRisk } from './proposal.js';
import { judgeCall } from '../asking/rules.js';
import type { Vote } from '../../../contracts/suspension/decision.js';

/** The judgement of the rules on edits that they allow. Whoever judges the answer adds it. */
export interface EditsAllowed {
  readonly risk_class: RiskClass;
}

/**
 * Judges edited calls by the configured rules, as if the agent had made them. Refuses `edit_not_allowed` if a call is
 * denied, or needs a stricter route or another policy pack. Unchanged arguments pass, and unknown calls are left to
 * `editedPart`.
 */
export function judgeEdits(
  rules: readonly ApprovalRule[],
  proposal: Proposal,
  edits: readonly EditedCall[],
): Ruling<EditsAllowed> {
  let { risk_class } = proposal;
  for (const [index, edit] of edits.entries()) {
    const call = proposal.calls.find(({ id }) => id === edit.call_id);
    if (call === undefined || jsonEqual(call.arguments, edit.arguments)) continue;
    const judge = (given: JsonObject) =>
      judgeCall(rules, { tool: call.tool, agent: proposal.agent, arguments: given });
    const edited = judge(edit.arguments);
    const why = whyNot(proposal, judge(call.arguments), edited);
    if (why !== undefined) return notAllowed(why, index);
    risk_class = higherRisk(risk_class, edited.risk_class);
  }
  return ok({ risk_class });
}

/** A proposal does not name its policy packs, so the rules judge the call before the edit too. */
function whyNot(proposal: Proposal, before: Judgement, edited: Judgement): string | undefined {
  if (edited.verdict === 'deny') return 'The rules deny the edited call.';
  if (APPROVAL_ROUTES.indexOf(edited.route) > APPROVAL_ROUTES.indexOf(proposal.route)) {
    return `The edited call needs the route ${edited.route}.`;
  }
  if (edited.pack === undefined || edited.pack === before.pack) return undefined;
  return `The edited call needs the policy pack ${edited.pack}.`;
}

function notAllowed(detail: string, index: number): Ruling<never> {
  const accepted = 'arguments that need no other approval than those that were proposed';
  return refuse('edit_not_allowed', detail, { field: argumentsOf(index), accepted });
}

function argumentsOf(index: number): string {
  return `edits[${index}].arguments`;
}

/** The part of an answer that concerns a proposal. */
export interface EditingAnswer {
  readonly value: unknown;
  readonly edits?: readonly EditedCall[];
  readonly edits_allowed?: EditsAllowed;
}

/**
 * Returns the approval part with the edits of an answer. Edits require an approval and fit the schemas. Refuses
 * `invalid_edit`, and `edit_not_allowed` without a rule's judgement.
 */
export function editedPart(
  part: ApprovalPart,
  { value, edits = [], edits_allowed }: EditingAnswer,
): Ruling<ApprovalPart> {
  if (edits.length === 0) return ok(part);
  if (value !== 'approved') {
    return invalid('Only an approval can edit.', 'edits', 'edits with the value approved');
  }
  if (part.proposal.kind !== 'tool_approval') {
    return invalid('There are no calls to edit.', 'edits', 'no edits');
  }
  const fit = checkCalls(part, edits);
  if (!fit.ok) return fit;
  const risk = edits_allowed?.risk_class ?? part.proposal.risk_class;
  const proposal = editedProposal(part.proposal, edits, risk);
  if (proposal === part.proposal) return ok(part);
  if (edits_allowed === undefined) return notAllowed('The rules have not allowed the edits.', 0);
  const size = checkVersion(proposal);
  return size.ok ? ok({ ...part, proposal, proposal_hash: hashOf(proposal) }) : size;
}

function checkCalls(
  { proposal, input_schemas = {} }: ApprovalPart,
  edits: readonly EditedCall[],
): Ruling<true> {
  const named = new Set<string>();
  const judge = new EditJudge();
  for (const [index, { call_id, arguments: edited }] of edits.entries()) {
    const call = proposal.calls.find(({ id }) => id === call_id);
    if (call === undefined || named.has(call_id)) {
      const detail = call ? 'The call is edited twice.' : 'The proposal has no such call.';
      return invalid(detail, `edits[${index}].call_id`, 'calls of the proposal, each once');
    }
    named.add(call_id);
    if (!isSound(edited)) {
      const accepted = `finite numbers, whole texts, and at most ${LIMITS.argumentsDepth} levels`;
      return invalid('The arguments cannot be kept.', argumentsOf(index), accepted);
    }
    const schema = Object.hasOwn(input_schemas, call.tool) ? input_schemas[call.tool] : undefined;
    const fits = schema ? judge.check(schema, edited, index, call.tool) : ok(true);
    if (!fits.ok) return fits;
  }
  return ok(true);
}

/**
 * Checks all edited arguments of one answer against their tools' schemas, within one work limit. Nobody may have
 * checked the schemas before.
 */
class EditJudge {
  private readonly isUsable = new Map<JsonObject, boolean>();
  private readonly budget = new JudgingBudget();

  check(schema: JsonObject, edited: JsonObject, index: number, tool: string): Ruling<true> {
    const isUsable = this.isUsable.get(schema) ?? checkSchema(schema).ok;
    this.isUsable.set(schema, isUsable);
    if (!isUsable) {
      const detail = `The schema of ${tool} cannot judge arguments.`;
      return invalid(detail, `edits[${index}].call_id`, 'no edit of this call');
    }
    const judged = judgeBySchema(schema, edited, argumentsOf(index), this.budget);
    if (judged.ok) return judged;
    if (this.budget.left < 0) {
      const detail = 'The edits take too long to be judged by the schemas of their tools.';
      return invalid(detail, argumentsOf(index), 'fewer edits, or shorter arguments');
    }
    const { detail, field = argumentsOf(index) } = judged.refusal;
    return invalid(detail, field, `what the schema of ${tool} describes`);
  }
}

/** A Signal may contain what no request can: values without a canonical form, or too deep for recursion. */
function isSound(edited: JsonObject): boolean {
  for (const { value, name, depth } of visitsOf(edited)) {
    if (depth > LIMITS.argumentsDepth || name === '__proto__') return false;
    if (typeof value === 'number' && !Number.isFinite(value)) return false;
    if (isUnsound(String(name)) || (typeof value === 'string' && isUnsound(value))) return false;
  }
  return true;
}

function checkVersion(proposal: Proposal): Ruling<true> {
  if (proposal.version > LIMITS.proposalVersions) {
    const accepted = `at most ${LIMITS.proposalVersions} versions of a proposal`;
    return invalid('The proposal was edited too often.', 'edits', accepted);
  }
  if (checkProposal(proposal).ok) return ok(true);
  const accepted = `arguments with which the proposal takes at most ${LIMITS.proposalBytes} bytes of JSON`;
  return invalid('The edited proposal is too large.', 'edits', accepted);
}

function invalid(detail: string, field: string, accepted: string): Ruling<never> {
  return refuse('invalid_edit', detail, { field, accepted });
}

/** The bytes that the timeline keeps of one edit, because it contains all edits. */
export const KEPT_EDIT_BYTES = 9 * 1_024;

/**
 * Describes an edit of a proposal for the timeline: the notes with votes on the version before, then the changed
 * arguments of each call, before and after. If arguments are too large, only the call is named; the rest is counted.
 * Pure.
 *
 * @param votes - those on the version before, which no longer count
 */
export function editTrace(
  before: ApprovalPart,
  after: ApprovalPart,
  votes: readonly Vote[],
): JsonObject {
  const room = new Room();
  const notes = votes.flatMap(({ actor, comment }) =>
    comment === undefined ? [] : room.first({ actor, comment }),
  );
  const edits = before.proposal.calls.flatMap((call, index) => {
    const edited = after.proposal.calls[index];
    if (edited === undefined || jsonEqual(call.arguments, edited.arguments)) return [];
    const whole = { ...named(call), ...differing(call.arguments, edited.arguments) };
    return room.first(whole, named(call));
  });
  return {
    edits,
    ...(notes.length > 0 && { notes_before: notes }),
    ...(room.left_out > 0 && { left_out: room.left_out }),
  };
}

/** The remaining bytes for one edit. */
class Room {
  private bytes = KEPT_EDIT_BYTES;
  left_out = 0;

  /** Returns the first form that fits; counts the edit if none does. */
  first(...forms: readonly JsonObject[]): JsonObject[] {
    const fitting = forms.find((form) => jsonBytes(form) + 1 <= this.bytes);
    if (fitting === undefined) {
      this.left_out += 1;
      return [];
    }
    this.bytes -= jsonBytes(fitting) + 1;
    return [fitting];
  }
}

function named({ id, tool }: ProposedCall): JsonObject {
  return { call_id: id, tool };
}

function differing(one: JsonObject, other: JsonObject): JsonObject {
  const part = (of: JsonObject, beside: JsonObject): JsonObject =>
    Object.fromEntries(
      Object.entries(of).filter(
        ([name, value]) => !Object.hasOwn(beside, name) || !jsonEqual(value, beside[name] ?? null),
      ),
    );
  return { before: part(one, other), after: part(other, one) };
}
