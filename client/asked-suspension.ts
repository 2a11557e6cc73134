import type { SuspensionView } from '../contracts/suspension-view.js';
import type { AskedSuspension } from './hooks.js';

/** The copy of a record that hooks get for the view's attempt (R26-61, R26-62, AM-30). */
export function askedSuspension(view: SuspensionView): AskedSuspension {
  const { context, channel_hint: ownChannel, ...record } = view.record;
  const inForce = view.schedule.attempts.find((entry) => entry.attempt === view.attempt);
  const channel = inForce === undefined ? ownChannel : (inForce.channel_hint ?? undefined);
  return {
    ...record,
    ...(channel === undefined ? {} : { channel_hint: channel }),
    intent_id: view.intent_id,
    notify_to: inForce?.notify_to ?? null,
    context: { ...context, _attempt: view.attempt, _max_attempts: view.max_attempts },
  };
}
