import type { ApprovalPart } from '../../../contracts/approval/approval.js';
import type { JsonObject } from '../../../contracts/kernel/primitives.js';
import type { PartialRetryPolicy } from '../../../contracts/suspension/retry-policy.js';
import type { SuspensionDraft } from '../../../contracts/suspension/suspension.js';
import type { ApprovalStep } from './route.js';
import type { ApprovalState } from '../record/state.js';
import { SECOND_MS } from '../../kernel/time.js';
import { defined } from '../../../contracts/constants/defined.js';

const CHOICES = [
  { value: 'approved', label: 'Approve', style: 'primary' as const },
  { value: 'rejected', label: 'Reject', style: 'danger' as const },
];

export interface Asking {
  readonly asked_by: string;
  readonly reason?: string;
  readonly input_schemas?: ApprovalPart['input_schemas'];
  readonly summaries?: ApprovalPart['summaries'];
  readonly response_schema?: JsonObject;
  /** The other content for people and channels (JC-36, JC-37). */
  readonly context?: JsonObject;
  readonly channel_hint?: string;
}

/**
 * Returns the question to a tier about the latest proposal. The asker may not answer, unless it is the user it acts
 * for. A timeout never approves here: the approval decides what it does.
 */
export function tierDraft(
  state: ApprovalState,
  { stage, tier, name, ask }: Extract<ApprovalStep, { kind: 'ask' }>,
  asking: Asking,
): SuspensionDraft {
  const { proposal, proposal_hash } = state;
  const { asked_by, reason, input_schemas, summaries, response_schema, channel_hint } = asking;
  const { decision_rule, timeout_seconds, retry_policy, fallback_policy } = ask.question;
  const excluded = asked_by === proposal.on_behalf_of ? [] : [asked_by];
  return {
    question: proposal.prompt,
    response_type: 'choice',
    choices: CHOICES.map((choice) => ({ ...choice })),
    context: contextOf(state, stage, tier, timeout_seconds, ask.on_timeout, asking),
    ...defined({ response_schema, channel_hint }),
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
      ...defined({ stage_name: name, reason, input_schemas, summaries }),
    },
  };
}

function completed({ max_attempts, interval_seconds }: PartialRetryPolicy) {
  return {
    max_attempts: max_attempts ?? 1,
    ...(typeof interval_seconds === 'number' && { interval_seconds }),
    strategy: 'fixed' as const,
    escalation_ladder: [],
    final_fallback_policy: 'fail' as const,
  };
}

/** The parts of a request for approval besides its question (JC-36). */
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
    ...defined({ reason }),
  };
}
