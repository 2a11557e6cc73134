import type { temporal } from '@temporalio/proto';

export type HistoryEvents = readonly temporal.api.history.v1.IHistoryEvent[];

function messagesIn(events: HistoryEvents): HistoryEvents {
  return events.filter(
    (event) => event.activityTaskScheduledEventAttributes?.activityType?.name === 'notify',
  );
}

/** The activity of which an event says that it is done, or that nobody waits for it any more. */
function endedBy(event: HistoryEvents[number]): string {
  const end =
    event.activityTaskCompletedEventAttributes ?? event.activityTaskCancelRequestedEventAttributes;
  return String(end?.scheduledEventId);
}

/** Whether the first task of a suspension is over, no message is on its way, and no task is under way. */
export function isQuiet(events: HistoryEvents): boolean {
  const ended = new Set(events.map(endedBy));
  const last = events.at(-1);
  const isBusy =
    last?.workflowTaskScheduledEventAttributes ?? last?.workflowTaskStartedEventAttributes;
  const hasBegun = events.some((event) => event.workflowTaskCompletedEventAttributes);
  const areOut = messagesIn(events).every(({ eventId }) => ended.has(String(eventId)));
  return hasBegun && areOut && !isBusy;
}

/** The same, and whether there was a message. */
export function isDelivered(events: HistoryEvents): boolean {
  return messagesIn(events).length > 0 && isQuiet(events);
}
