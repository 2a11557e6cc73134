import type { FeedAudience, FeedEntry, FeedScope } from '../queries/feed.js';

/** One who is given events as they come. */
export interface Follower {
  deliver(entries: readonly FeedEntry[]): void;
}

interface Place {
  readonly follower: Follower;
  /** What it has already. */
  readonly after: number;
}

function keyOf(scope: FeedScope): string {
  return scope.kind === 'all' ? 'all' : `${scope.kind} ${scope.id}`;
}

/** Who follows which scope. */
export class Followers {
  private readonly places = new Map<string, Set<Place>>();

  /** Adds a follower that has everything up to a position; gives what takes it out again. */
  add(scope: FeedScope, after: number, follower: Follower): () => void {
    const key = keyOf(scope);
    const place = { follower, after };
    const all = this.places.get(key) ?? new Set();
    this.places.set(key, all.add(place));
    return () => {
      all.delete(place);
      if (all.size === 0 && this.places.get(key) === all) this.places.delete(key);
    };
  }

  /** Gives each follower, once and in their order, the entries of its scope that it does not have. */
  giveOut(entries: readonly FeedEntry[], audiences: readonly FeedAudience[]): void {
    const shares = new Map<Place, FeedEntry[]>();
    for (const entry of entries) {
      for (const place of this.placesOf(entry, audiences)) {
        if (entry.position <= place.after) continue;
        const share = shares.get(place) ?? [];
        share.push(entry);
        shares.set(place, share);
      }
    }
    for (const [{ follower }, share] of shares) follower.deliver(share);
  }

  private placesOf(
    { event, created_by, position }: FeedEntry,
    audiences: readonly FeedAudience[],
  ): ReadonlySet<Place> {
    const scopes: readonly FeedScope[] = [
      { kind: 'all' },
      { kind: 'intent', id: event.intent_id },
      // A portfolio's own events bear its id.
      { kind: 'portfolio', id: event.intent_id },
      ...(created_by === null ? [] : [{ kind: 'agent', id: created_by } as const]),
      ...audiences
        .filter(({ intent_id }) => intent_id === event.intent_id)
        .filter(({ until }) => until === null || position <= until)
        .map(({ kind, audience }) => ({ kind, id: audience })),
    ];
    return new Set(scopes.flatMap((scope) => [...(this.places.get(keyOf(scope)) ?? [])]));
  }
}
