/** Who has to approve (A54-04 … 08): nobody, one person, two people, or the stages of a policy pack. */
export const APPROVAL_ROUTES = ['auto', 'human_required', 'dual_approval', 'policy_pack'] as const;
export type ApprovalRoute = (typeof APPROVAL_ROUTES)[number];

/** How much harm a tool call can do, least first. Only the first may be allowed without a person (A54-27). */
export const RISK_CLASSES = ['low', 'medium', 'high', 'critical'] as const;
export type RiskClass = (typeof RISK_CLASSES)[number];

/** The verdict of a rule on a tool call (A54-09): it runs, it never runs, or people decide. */
export const APPROVAL_VERDICTS = ['allow', 'deny', 'escalate'] as const;
export type ApprovalVerdict = (typeof APPROVAL_VERDICTS)[number];

/** Why a person is asked before something runs (P3-11): to allow it, to sign in, or to consent. */
export const APPROVAL_KINDS = ['tool_approval', 'authentication', 'consent'] as const;

export const APPROVAL_DECISIONS = ['approved', 'rejected'] as const;
export type ApprovalAnswer = (typeof APPROVAL_DECISIONS)[number];

/**
 * The status of an approval. `expired`: nobody decided in time, and silence denies. `failed`: what was to run differs
 * from what was decided on, so it does not run (A54-31).
 */
export const APPROVAL_STATUSES = [
  'pending',
  'approved',
  'rejected',
  'expired',
  'cancelled',
  'failed',
] as const;
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number];

export const REJECT_ACTIONS = ['cancel_task', 'inject_result', 'policy_deny'] as const;
export type RejectAction = (typeof REJECT_ACTIONS)[number];

/** Whether a turn asks once for each gated call, or once for all of them. */
export const GROUPINGS = ['per_call', 'per_turn'] as const;
export type Grouping = (typeof GROUPINGS)[number];

/** What happens to the other calls of a turn after one was rejected (JC-33). */
export const SIBLING_POLICIES = [
  'continue_siblings',
  'cancel_siblings',
  'abort_iteration',
] as const;
export type SiblingPolicy = (typeof SIBLING_POLICIES)[number];

/**
 * How a tool call ended. `completed` and `errored` ran, the latter perhaps partly. `rejected`: by a person. `denied`:
 * by a policy. `not_approved`: nobody decided in time, or the question was withdrawn. `cancelled`: because of another
 * call of the turn, perhaps while it ran. `mutated`: the call differs from the approved one.
 */
export const TOOL_RESULT_STATUSES = [
  'completed',
  'errored',
  'rejected',
  'denied',
  'not_approved',
  'cancelled',
  'mutated',
] as const;
export type ToolResultStatus = (typeof TOOL_RESULT_STATUSES)[number];

/** The format version of an agent's snapshots (JC-67). */
export const SNAPSHOT_VERSION = 'composer_v1';

/** The progress of a stopped agent's checkpoint (JC-66). */
export const CHECKPOINT_STATUSES = ['hibernated', 'resuming', 'resumed'] as const;
export type CheckpointStatus = (typeof CHECKPOINT_STATUSES)[number];

/** A person's possible answers to a request of an agent that is not on Temporal. */
export const REQUEST_ACTIONS = ['approve', 'reject'] as const;
export type RequestAction = (typeof REQUEST_ACTIONS)[number];

/** The progress of an agent's task that waits for a decision (P3-05, P3-12). */
export const TASK_ITEM_STATUSES = ['paused', 'approved', 'completed', 'cancelled'] as const;
export type TaskItemStatus = (typeof TASK_ITEM_STATUSES)[number];

/** The `reason` of an approval whose workflow was terminated. */
export const APPROVAL_LOST = 'approval_lost';

/** The approver if a rule decided and no person was asked. */
export const AUTO_APPROVER = 'policy:auto';

/** What a model reads before the result of a call whose arguments a person has edited. */
export function editNote(tool: string, ran: object): string {
  return `A human reviewer edited the arguments of "${tool}". It ran with: ${JSON.stringify(ran)}`;
}
