import { condition } from '@temporalio/workflow';
import { toMillis } from '../../domain/kernel/time.js';

/** The latest instant that a timer or a message is known to have reached (ms); module state is per workflow. */
let reached = 0;

/**
 * The workflow's time in milliseconds, never before an instant that a timer has reached. `Date.now()`
 * alone can be: when a Query reaches a new worker before the task of a timer that fired meanwhile, or of a
 * Signal that came, the SDK applies it under the time of the task before it (docs/adr/0010).
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
