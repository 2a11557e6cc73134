/** Ways to an approval (A54-04 … 08): none, one person, two people, or the stages of a policy pack. */
export const APPROVAL_ROUTES = ['auto', 'human_required', 'dual_approval', 'policy_pack'] as const;
export type ApprovalRoute = (typeof APPROVAL_ROUTES)[number];

/** How much harm a tool call can do, least first. Only the first may be allowed without a person (A54-27). */
export const RISK_CLASSES = ['low', 'medium', 'high', 'critical'] as const;
export type RiskClass = (typeof RISK_CLASSES)[number];

/** What a rule says of a tool call (A54-09): it runs, it never runs, or people decide. */
export const APPROVAL_VERDICTS = ['allow', 'deny', 'escalate'] as const;
export type ApprovalVerdict = (typeof APPROVAL_VERDICTS)[number];
