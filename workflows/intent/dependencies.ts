import type { Announcement, DependencyEdge } from '../../contracts/graph/announcement.js';
import { LIMITS } from '../../contracts/constants/limits.js';
import type { Intent, IntentStatus, PhaseHold } from '../../contracts/intent/intent.js';
import { isHeld } from '../../domain/graph/announcement.js';
import {
  forgetDependency,
  takeDependency,
  type Upstream,
} from '../../domain/graph/dependencies.js';
import type { EventDraft } from '../../domain/intent/entity.js';
import { observingIntents, type CarriedWishes, type Observing } from '../engine/observing.js';

/** What an intent knows about its dependencies, in the form for the next run. */
export interface CarriedDependencies {
  readonly upstream: Upstream;
  readonly held_upstream: boolean;
  readonly holds: number;
  readonly edge_revision: number;
  readonly wishes: CarriedWishes;
  /** The ids of the coordinators that hold the phases wired to the intent. */
  readonly holders?: readonly string[];
}

/**
 * The event that replaces the one of a coordinator's hold. Nobody waits for a reply that could refuse the hold, and
 * readers of the log must not believe that phases wait for this coordinator.
 */
export function refusedHold({ actor, payload }: EventDraft): EventDraft {
  const accepted = `at most ${LIMITS.holdersPerIntent} coordinators at once`;
  return { event_type: 'coordinator.hold_refused', actor, payload: { ...payload, accepted } };
}

/** The dependencies of one intent: their last announcements, and whether they block it. */
export class Dependencies {
  readonly observing: Observing<Announcement>;
  upstream: Upstream;
  /** Whether the intent is blocked because a dependency is, or was, held. */
  heldUpstream: boolean;
  holds: number;
  private revision: number;
  private readonly holders: Set<string>;

  constructor(
    carried: CarriedDependencies | undefined,
    take: (announcement: Announcement) => void,
  ) {
    this.upstream = carried?.upstream ?? { known: [], waits: false };
    this.heldUpstream = carried?.held_upstream ?? false;
    this.holds = carried?.holds ?? 0;
    this.revision = carried?.edge_revision ?? 0;
    this.holders = new Set(carried?.holders);
    this.observing = observingIntents(take, carried?.wishes);
  }

  get carried(): CarriedDependencies {
    return {
      upstream: this.upstream,
      held_upstream: this.heldUpstream,
      holds: this.holds,
      edge_revision: this.revision,
      wishes: this.observing.carried,
      ...(this.holders.size > 0 && { holders: [...this.holders] }),
    };
  }

  /** The part of this that the intent announces. */
  get announced() {
    const [dependents_held_by] = this.holders;
    return {
      held_upstream: this.heldUpstream,
      holds: this.holds,
      ...(dependents_held_by !== undefined && { dependents_held_by }),
    };
  }

  /** Whether one more coordinator would hold than the next run can be given. */
  isTooMany({ coordinator_id, held }: PhaseHold): boolean {
    const isNew = held && !this.holders.has(coordinator_id);
    return isNew && this.holders.size >= LIMITS.holdersPerIntent;
  }

  /** Records that a coordinator holds the phases wired to the intent, or no longer does. */
  hold({ coordinator_id, held }: PhaseHold): void {
    if (held) this.holders.add(coordinator_id);
    else this.holders.delete(coordinator_id);
  }

  /** Follows a change of status; an unblocked intent is no longer blocked by others. */
  moved(from: IntentStatus, to: IntentStatus): void {
    const was = isHeld(from, this.heldUpstream);
    this.heldUpstream &&= to === 'blocked';
    if (!was && isHeld(to, this.heldUpstream)) this.holds += 1;
  }

  /** Applies a dependency's announcement; returns whether it has just been abandoned. */
  take({ depends_on }: Intent, announcement: Announcement): 'abandoned' | undefined {
    const { intent_id, status } = announcement;
    const earlier = this.upstream.known.find((one) => one.intent_id === intent_id);
    const upstream = takeDependency(this.upstream, depends_on, announcement);
    const isNews = upstream !== this.upstream && earlier?.status !== status;
    this.upstream = upstream;
    return isNews && status === 'abandoned' ? status : undefined;
  }

  edge({ id }: Intent, dependency_id: string): DependencyEdge {
    return { intent_id: id, dependency_id, revision: ++this.revision };
  }

  /** Removes a dependency; `left` are the remaining ones. */
  forget(dependencyId: string, left: readonly string[]): void {
    this.upstream = forgetDependency(this.upstream, left, dependencyId);
    this.observing.unobserve(dependencyId);
  }
}
