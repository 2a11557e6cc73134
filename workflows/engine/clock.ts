import { condition } from '@temporalio/workflow';
import { toMillis } from '../../domain/kernel/time.js';

/**
 * The latest instant (ms) that a timer or a message has reached; per workflow, because workflows share this module
 * (docs/adr/0058).
 */
const REACHED = Symbol('reached');
// eslint-disable-next-line no-restricted-globals -- nothing is read here but what this module has put there
const own = globalThis as { [REACHED]?: number };

/**
 * The workflow's time in milliseconds: that of the task, which a replay repeats (docs/adr/0030), but never before an
 * instant that a timer or a message has reached, because the clocks of Temporal's servers may differ.
 */
export function now(): number {
  return Math.max(Date.now(), own[REACHED] ?? 0);
}

/** Records that an instant (ISO-8601) has come, according to a message, so that later events are not earlier. */
export function reach(instant: string): void {
  own[REACHED] = Math.max(own[REACHED] ?? 0, toMillis(instant));
}

/** How far a host's clock may be ahead of Temporal's to be accepted: a minute. */
const AHEAD_MS = 60_000;

/** Does the same for an instant from the clock of the host that began this work, unless that is far ahead. */
export function reachIfNear(instant: string): void {
  if (toMillis(instant) - now() <= AHEAD_MS) reach(instant);
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
