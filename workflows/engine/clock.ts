import { condition } from '@temporalio/workflow';
import { toMillis } from '../../domain/kernel/time.js';

/** The latest instant that a timer or a message is known to have reached (ms); module state is per workflow. */
let reached = 0;

/**
 * The workflow's time in milliseconds: that of the task, which a replay repeats (docs/adr/0030), but never before an
 * instant that a timer or a message has reached, for the clocks of Temporal's servers may differ.
 */
export function now(): number {
  return Math.max(Date.now(), reached);
}

/** A message says that this instant (ISO-8601) has come: what follows from it is not earlier. */
export function reach(instant: string): void {
  reached = Math.max(reached, toMillis(instant));
}

/** Waits for `turned`, at most until an instant (ISO-8601); timers are whole seconds, rounded up. */
export async function waitUntil(
  instant: string,
  turned: () => boolean,
  summary: string,
): Promise<void> {
  const due = toMillis(instant);
  const seconds = Math.max(1, Math.ceil((due - now()) / 1_000));
  const early = await condition(turned, seconds * 1_000, { summary });
  if (!early) reach(instant);
}
