import assert from 'node:assert/strict';
import type { WorkflowHandle } from '@temporalio/client';

interface Stamp {
  readonly seconds?: { toNumber(): number } | null;
  readonly nanos?: number | null;
}

/** Timers are whole seconds, rounded up. */
const ROUNDING = 1_000;

/**
 * The instants (ms) at which the timers of a run are due, as it armed them: the clock of the task that did
 * so, and the duration. How long a task takes, and when a timer's task is run, has no part in it.
 */
export async function timersOf(handle: Pick<WorkflowHandle, 'fetchHistory'>): Promise<number[]> {
  const { events } = await handle.fetchHistory();
  let clock = 0;
  return (events ?? []).flatMap((event) => {
    if (event.workflowTaskStartedEventAttributes) clock = msOf(event.eventTime);
    const timeout = event.timerStartedEventAttributes?.startToFireTimeout;
    return timeout ? [clock + msOf(timeout)] : [];
  });
}

/** Fails unless a run has armed a timer for each of these instants (ISO-8601). */
export async function assertArmed(
  handle: Pick<WorkflowHandle, 'fetchHistory'>,
  instants: readonly string[],
): Promise<void> {
  const armed = await timersOf(handle);
  for (const instant of instants) {
    const due = Date.parse(instant);
    const isArmed = armed.some((at) => at >= due && at < due + ROUNDING);
    assert.ok(isArmed, `no timer for ${instant} among ${armed.map(isoOf).join()}`);
  }
}

function msOf(stamp: Stamp | null | undefined): number {
  return (stamp?.seconds?.toNumber() ?? 0) * 1_000 + Math.floor((stamp?.nanos ?? 0) / 1_000_000);
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}
