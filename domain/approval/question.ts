import type { ApprovalPart } from '../../contracts/approval.js';
import type { JsonObject } from '../../contracts/primitives.js';
import type { SuspensionDraft } from '../../contracts/suspension.js';
import type { ApprovalStep } from './route.js';
import type { ApprovalState } from './state.js';

const CHOICES = [
  { value: 'approved', label: 'Approve', style: 'primary' as const },
  { value: 'rejected', label: 'Reject', style: 'danger' as const },
];

/** What the questions of an approval have in common. */
export interface Asking {
  readonly asked_by: string;
  readonly reason?: string;
  readonly input_schemas?: ApprovalPart['input_schemas'];
  /** What the data of a decision have to look like. */
  readonly response_schema?: JsonObject;
  /** The rest of the request, for people and channels (JC-36, JC-37). */
  readonly context?: JsonObject;
  readonly channel_hint?: string;
}

/**
 * The question to a tier, about the latest version of the proposal. Whoever asked does not answer, beside those whom the
 * plan excludes, unless it is the user who decides on what is done for it (AM-66). Nobody's silence approves here: what a
 * timeout leads to, the approval says (AM-57).
 */
export function tierDraft(
  state: ApprovalState,
  { stage, tier, name, ask }: Extract<ApprovalStep, { kind: 'ask' }>,
  asking: Asking,
): SuspensionDraft {
  const { proposal, proposal_hash } = state;
  const { asked_by, reason, input_schemas, response_schema, channel_hint } = asking;
  const { decision_rule, timeout_seconds, retry_policy, fallback_policy } = ask.question;
  const excluded = asked_by === proposal.on_behalf_of ? [] : [asked_by];
  return {
    question: proposal.prompt,
    response_type: 'choice',
    choices: CHOICES.map((choice) => ({ ...choice })),
    context: contextOf(state, stage, tier, timeout_seconds, ask.on_timeout, asking),
    ...(response_schema && { response_schema }),
    ...(channel_hint !== undefined && { channel_hint }),
    timeout_seconds,
    fallback_policy,
    ...(retry_policy && { retry_policy: completed(retry_policy) }),
    decision_rule: {
      ...decision_rule,
      excluded: [...new Set([...decision_rule.excluded, ...excluded])],
    },
    approval: {
      proposal,
      proposal_hash,
      stage,
      tier,
      ...(name !== undefined && { stage_name: name }),
      ...(reason !== undefined && { reason }),
      ...(input_schemas && { input_schemas }),
    },
  };
}

type Retries = NonNullable<
  Extract<ApprovalStep, { kind: 'ask' }>['ask']['question']['retry_policy']
>;

function completed({ max_attempts, interval_seconds }: Retries) {
  return {
    max_attempts: max_attempts ?? 1,
    ...(typeof interval_seconds === 'number' && { interval_seconds }),
    strategy: 'fixed' as const,
    escalation_ladder: [],
    final_fallback_policy: 'fail' as const,
  };
}

const SECOND_MS = 1_000;

/** What a request for approval says beside its question (JC-36, AM-55). */
function contextOf(
  { proposal, proposal_hash }: ApprovalState,
  stage: number,
  tier: number,
  seconds: number,
  timeout_outcome: string,
  { context, reason }: Asking,
): JsonObject {
  const { approval_id, run_id, route, risk_class, kind, calls, visible_context } = proposal;
  const [only, ...others] = calls;
  return {
    ...context,
    visible_context,
    id: approval_id,
    approval_id,
    run_id,
    kind,
    route,
    stage,
    tier,
    risk_class,
    proposal_hash,
    timeout: seconds * SECOND_MS,
    timeout_outcome,
    ...(only && others.length === 0 ? { tool_call: { ...only } } : {}),
    ...(reason !== undefined && { reason }),
  };
}
