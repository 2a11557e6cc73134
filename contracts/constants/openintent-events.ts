/**
 * The event types that the OpenIntent SDK 0.17.0 knows, by the part before their last dot. The list is separate from
 * ours, because the SDK fails to read a whole log that contains a type it does not know.
 */
const KNOWN_BY_FAMILY: Readonly<Record<string, readonly string[]>> = {
  '': words(`
    intent_created state_patched status_changed agent_assigned agent_unassigned
    constraint_added constraint_removed dependency_added dependency_removed lease_acquired
    lease_released arbitration_requested decision_recorded attachment_added
    portfolio_created added_to_portfolio removed_from_portfolio failure_recorded comment
    tool_call_started tool_call_completed tool_call_failed llm_request_started
    llm_request_completed llm_request_failed stream_started stream_chunk stream_completed
    stream_cancelled access_granted access_revoked access_expired access_requested
    access_request_approved access_request_denied
  `),
  task: words(`
    created ready claimed started progress completed failed retrying blocked unblocked
    delegated escalated cancelled skipped
  `),
  plan: words(`
    created activated paused resumed completed failed checkpoint_reached checkpoint_approved
    checkpoint_rejected
  `),
  coordinator: words(`
    decision heartbeat paused resumed replaced unresponsive failed_over handoff
    plan_overridden guardrails_updated stalled escalation_resolved
  `),
  governance: words(
    'policy_set policy_removed approval_granted approval_denied violation approval_enforced',
  ),
  tool: words('invoked denied'),
  grant: words('created delegated revoked expired suspended resumed'),
  credential: words('created rotated expired revoked'),
  memory: words('created updated deleted archived evicted expired'),
  agent: words('lifecycle registered status_changed dead'),
  trigger: words('fired skipped cascade_limit namespace_blocked'),
  'agent.identity': words('registered rotated revoked challenge_issued verified'),
  'log.checkpoint': words('created anchored'),
  channel: words('created closed message'),
  federation: words('dispatched received callback budget_warning completed failed'),
  intent: words('suspended resumed suspension_expired suspension_renotified suspension_escalated'),
  engagement: words('decision'),
  portfolio: words('member_suspended member_resumed'),
};

function words(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}

/** Every event type that the OpenIntent SDK knows. The OpenIntent API leaves all others out; `/v1` shows them. */
export const KNOWN_EVENT_TYPES: readonly string[] = Object.entries(KNOWN_BY_FAMILY).flatMap(
  ([family, names]) => names.map((name) => (family === '' ? name : `${family}.${name}`)),
);
