import type { NotificationRequest } from '../../../contracts/channel/notification.js';
import type { SlaBreach } from '../record/events.js';
import type { ApprovalState } from '../record/state.js';

/**
 * Returns the alert that a stage takes too long, or undefined if no question is open. It asks and decides nothing.
 *
 * @param channel_hint - the channel of the question; the default one without it
 */
export function breachAlert(
  { proposal, open }: ApprovalState,
  { stage, sla_seconds, due_at }: SlaBreach,
  { intent_id, channel_hint }: Asked,
): NotificationRequest | undefined {
  if (open === undefined) return undefined;
  const { suspension_id } = open;
  const { approval_id, run_id, prompt } = proposal;
  return {
    delivery_id: `${suspension_id}:sla:${stage}`,
    suspension_id,
    intent_id,
    attempt: 1,
    max_attempts: 1,
    due_at,
    channel_hint: channel_hint ?? null,
    notify_to: null,
    question: prompt,
    response_type: 'choice',
    next_attempt_at: null,
    alert: { kind: 'sla_breached', approval_id, run_id, stage, sla_seconds },
  };
}

interface Asked {
  readonly intent_id: string | null;
  readonly channel_hint?: string | undefined;
}
