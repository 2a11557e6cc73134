import type { Announcement, IntentVersion } from '../../contracts/graph/announcement.js';
import type { Intent, IntentStatus } from '../../contracts/intent/intent.js';
import type { Ruling } from '../../contracts/kernel/problem.js';
import { checkOpen, statusChanged, type EventDraft, type IntentChange } from '../intent/entity.js';
import { CLOCK_ACTOR } from '../suspension/record/events.js';
import { isNewer } from './announcement.js';
import { ok, refuse } from '../kernel/ruling.js';
import { defined } from '../../contracts/constants/defined.js';

/** What an intent stores about a dependency, which it only observes (R26-05). */
type KnownDependency = Pick<Announcement, keyof IntentVersion | 'status' | 'held' | 'holds'>;

export interface Upstream {
  readonly known: readonly KnownDependency[];
  /** Whether the intent has to wait: a dependency was held, and since then not all of them have completed. */
  readonly waits: boolean;
}

/** Applies a newer announcement of a dependency, in any order; otherwise returns the same object. */
export function takeDependency(
  upstream: Upstream,
  dependsOn: readonly string[],
  announcement: Announcement,
): Upstream {
  const { intent_id, version, last_sequence, status, held, holds } = announcement;
  const earlier = upstream.known.find((one) => one.intent_id === intent_id);
  if (!isNewer(earlier, announcement)) return upstream;
  const next = { intent_id, version, last_sequence, status, held, holds };
  const known = [...upstream.known.filter((one) => one !== earlier), next];
  const hasHeld = held || (earlier !== undefined && holds > earlier.holds);
  return withWait({ known, waits: upstream.waits || hasHeld }, dependsOn);
}

/** Drops a removed dependency. `dependsOn` are those that remain. */
export function forgetDependency(
  { known, waits }: Upstream,
  dependsOn: readonly string[],
  dependencyId: string,
): Upstream {
  const left = known.filter(({ intent_id }) => intent_id !== dependencyId);
  return withWait({ known: left, waits }, dependsOn);
}

function withWait({ known, waits }: Upstream, dependsOn: readonly string[]): Upstream {
  return { known, waits: waits && incompleteOf(dependsOn, known).length > 0 };
}

/**
 * Returns the status change that the dependencies require: an active intent that has to wait is blocked (R26-08), one
 * blocked for this reason continues (R26-09, R26-11). Other statuses stay.
 */
export function dependencyMove(
  status: IntentStatus,
  blockedByRule: boolean,
  waits: boolean,
): 'block' | 'unblock' | undefined {
  if (status === 'active') return waits ? 'block' : undefined;
  return status === 'blocked' && blockedByRule && !waits ? 'unblock' : undefined;
}

/** Blocks or unblocks an intent. Adds one version and one `status_changed`. */
export function movedByDependencies(
  intent: Intent,
  move: 'block' | 'unblock',
  now: string,
): IntentChange {
  const status = move === 'block' ? 'blocked' : 'active';
  const reason = move === 'block' ? 'upstream_suspended' : 'dependencies_completed';
  const version = intent.version + 1;
  return {
    intent: { ...intent, status, version, updated_at: now },
    events: [statusChanged(status, version, CLOCK_ACTOR, reason)],
  };
}

/** Returns the event for a dependency that was abandoned and can never complete. */
export function unsatisfiable({ intent_id, abandonment_reason }: Announcement): EventDraft {
  const payload = {
    dependency_id: intent_id,
    ...defined({ reason: abandonment_reason }),
  };
  return { event_type: 'dependency_unsatisfiable', actor: CLOCK_ACTOR, payload };
}

/** Lists the dependencies that have not completed, as far as is known. */
export function incompleteOf(
  dependsOn: readonly string[],
  known: readonly KnownDependency[],
): readonly string[] {
  const completed = known.filter(({ status }) => status === 'completed');
  const ids = new Set(completed.map(({ intent_id }) => intent_id));
  return dependsOn.filter((id) => !ids.has(id));
}

/**
 * Refuses `dependencies_incomplete` for an intent that would complete, or stop waiting, before its dependencies have
 * (R26-07).
 */
export function checkGate(
  intent: Intent,
  to: IntentStatus,
  blockedByRule: boolean,
  { known }: Upstream,
): Ruling<true> {
  const isGated = to === 'completed' || (to === 'active' && blockedByRule);
  const incomplete = isGated ? incompleteOf(intent.depends_on, known) : [];
  if (incomplete.length === 0) return ok(true);
  return refuse('dependencies_incomplete', 'Intents that this one depends on are not completed.', {
    field: 'status',
    state: { intent_status: intent.status, incomplete: [...incomplete] },
  });
}

/**
 * Adds a dependency, with one version and one `dependency_added`. Refuses `intent_closed`, `dependency_cycle` for the
 * intent itself (only the store can find longer cycles), `dependency_exists`, and `too_many_dependencies` beyond
 * `limit`.
 */
export function addDependency(
  intent: Intent,
  dependencyId: string,
  actor: string,
  now: string,
  limit: number,
): Ruling<IntentChange> {
  const open = checkOpen(intent);
  if (!open.ok) return open;
  const field = 'dependency_id';
  if (dependencyId === intent.id) return refuseCycle([intent.id, intent.id]);
  if (intent.depends_on.includes(dependencyId)) {
    return refuse('dependency_exists', 'The intent depends on that one already.', { field });
  }
  if (intent.depends_on.length >= limit) {
    return refuse('too_many_dependencies', `An intent depends on at most ${limit} others.`, {
      field,
    });
  }
  const depends_on = [...intent.depends_on, dependencyId];
  return ok(edited(intent, depends_on, 'dependency_added', dependencyId, actor, now));
}

/** Removes a dependency, with one version and one event. Refuses `intent_closed` and `dependency_not_found`. */
export function removeDependency(
  intent: Intent,
  dependencyId: string,
  actor: string,
  now: string,
): Ruling<IntentChange> {
  const open = checkOpen(intent);
  if (!open.ok) return open;
  const depends_on = intent.depends_on.filter((id) => id !== dependencyId);
  if (depends_on.length === intent.depends_on.length) {
    return refuse('dependency_not_found', 'The intent does not depend on that one.');
  }
  return ok(edited(intent, depends_on, 'dependency_removed', dependencyId, actor, now));
}

/** Refuses a dependency that closes a cycle. The path begins and ends with the dependent. */
export function refuseCycle(path: readonly string[]): ReturnType<typeof refuse> {
  return refuse('dependency_cycle', 'The intent would depend on itself.', {
    field: 'dependency_id',
    accepted: 'an intent that does not depend on this one',
    state: { path: [...path] },
  });
}

function edited(
  intent: Intent,
  depends_on: string[],
  event_type: 'dependency_added' | 'dependency_removed',
  dependency_id: string,
  actor: string,
  now: string,
): IntentChange {
  const version = intent.version + 1;
  return {
    intent: { ...intent, depends_on, version, updated_at: now },
    events: [{ event_type, actor, payload: { dependency_id, version } }],
  };
}
