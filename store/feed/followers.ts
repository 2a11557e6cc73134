import type { IntentEvent } from '../../contracts/intent/event.js';
import {
  isQuestionChange,
  isRunEvent,
  type FeedEntry,
  type FeedScope,
} from '../../contracts/subscription/feed.js';
import type { FeedAudience } from './source.js';

export interface Follower {
  deliver(entries: readonly FeedEntry[]): void;
  /** The store has lost the events after a position, and issues their numbers again. */
  wentBack?(to: number): void;
}

/** A follower that first receives past events, as fast as it takes them, and then new ones. */
export interface Taker extends Follower {
  /** Resolves when the follower can accept more; rejects when it is gone. */
  take(entries: readonly FeedEntry[]): Promise<void>;
}

interface Enrolment {
  readonly follower: Follower;
  /** The follower already has everything up to this position. */
  after: number;
}

function keyOf(scope: FeedScope): string {
  if (scope.kind === 'everything') return scope.kind;
  return JSON.stringify([scope.space, scope.kind, 'id' in scope ? scope.id : null]);
}

/** Returns the scopes that an event of an intent or portfolio belongs to, besides its creator's. */
function scopesOf(
  { intent_id }: IntentEvent,
  audiences: readonly FeedAudience[],
  position: number,
) {
  return [
    { kind: 'intent', id: intent_id } as const,
    // A portfolio's own events have the portfolio's id in `intent_id`.
    { kind: 'portfolio', id: intent_id } as const,
    ...audiences
      .filter((one) => one.intent_id === intent_id)
      .filter(({ until }) => until === null || position <= until)
      .map(({ kind, audience }) => ({ kind, id: audience })),
  ];
}

/** Returns the streams that contain an entry. Changes of questions are in no stream of events. */
function streamsOf(
  { event, created_by, position, space }: FeedEntry,
  audiences: readonly FeedAudience[],
): readonly FeedScope[] {
  const of = (kind: 'agent' | 'questions_of') =>
    created_by === null ? [] : [{ kind, id: created_by, space }];
  if (isQuestionChange(event)) return [{ kind: 'questions', space }, ...of('questions_of')];
  return [
    { kind: 'everything' },
    { kind: 'all', space },
    ...of('agent'),
    ...(isRunEvent(event)
      ? [{ kind: 'run', id: event.run_id, space } as const]
      : scopesOf(event, audiences, position).map((scope) => ({ ...scope, space }))),
  ];
}

export class Followers {
  private readonly enrolments = new Map<string, Set<Enrolment>>();

  /** Adds a follower that has everything up to a position. Returns how to remove it. */
  add(scope: FeedScope, after: number, follower: Follower): () => void {
    const key = keyOf(scope);
    const enrolment = { follower, after };
    const all = this.enrolments.get(key) ?? new Set();
    this.enrolments.set(key, all.add(enrolment));
    return () => {
      all.delete(enrolment);
      if (all.size === 0 && this.enrolments.get(key) === all) this.enrolments.delete(key);
    };
  }

  /** Hands each follower the entries of its scope that it lacks, once and in order. */
  giveOut(entries: readonly FeedEntry[], audiences: readonly FeedAudience[]): void {
    const shares = new Map<Enrolment, FeedEntry[]>();
    for (const entry of entries) {
      for (const enrolment of this.enrolmentsOf(entry, audiences)) {
        if (entry.position <= enrolment.after) continue;
        const share = shares.get(enrolment) ?? [];
        share.push(entry);
        shares.set(enrolment, share);
      }
    }
    for (const [{ follower }, share] of shares) follower.deliver(share);
  }

  /** Tells all followers that the store has lost the events after a position. */
  goBack(to: number): void {
    for (const enrolment of [...this.enrolments.values()].flatMap((all) => [...all])) {
      enrolment.after = Math.min(enrolment.after, to);
      enrolment.follower.wentBack?.(to);
    }
  }

  private enrolmentsOf(
    entry: FeedEntry,
    audiences: readonly FeedAudience[],
  ): ReadonlySet<Enrolment> {
    const scopes = streamsOf(entry, audiences);
    return new Set(scopes.flatMap((scope) => [...(this.enrolments.get(keyOf(scope)) ?? [])]));
  }
}
