import { WORKFLOW_LIMITS } from '../../contracts/constants/limits.js';
import { INTENT_STATUSES } from '../../contracts/constants/statuses.js';
import type { IntentStatus } from '../../contracts/intent/intent.js';
import type { StatusCounts } from '../../domain/graph/aggregate.js';
import { jsonBytes } from '../../domain/kernel/json.js';
import { toInstant, toMillis } from '../../domain/kernel/time.js';
import {
  observeMember,
  type MemberSnapshot,
  type Observation,
  type ObservedMember,
} from '../../domain/portfolio/members.js';

/**
 * A short form of a member: 10,000 must fit into the input of a run. A status is its index in the list of statuses,
 * an instant its milliseconds.
 */
export type CarriedMember = readonly [
  intent_id: string,
  version: number,
  last_sequence: number,
  status: number,
  suspension_id?: string | null,
  suspended_at?: number | null,
  waiting_since?: number,
];

/** The owners of the members: each name once, and for each member the index of its owner; -1 without one. */
export interface CarriedOwners {
  readonly names: readonly string[];
  readonly of: readonly number[];
}

const UNOWNED: CarriedOwners = { names: [], of: [] };

/** A suspended member, with its question if that is known. */
export interface Suspended {
  readonly intent_id: string;
  readonly suspension_id?: string;
}

/** The members of a portfolio according to their last announcements, with the number of each status. */
export class Members {
  private readonly known: Map<string, ObservedMember>;
  private readonly tally = new Map<IntentStatus, number>();
  private readonly owned: Map<string, string>;
  /** The bytes of the owners' names, each counted once. */
  private ownerBytes = 0;

  constructor(carried: readonly CarriedMember[] = [], { names, of }: CarriedOwners = UNOWNED) {
    this.known = new Map(carried.map(unpacked));
    const owners = carried.map(([id], index) => [id, names[of[index] ?? -1]] as const);
    this.owned = new Map(owners.filter((one): one is [string, string] => one[1] !== undefined));
    for (const name of new Set(this.owned.values())) this.ownerBytes += jsonBytes(name) + 1;
    for (const { status } of this.known.values()) this.count(status, 1);
  }

  get size(): number {
    return this.known.size;
  }

  get counts(): StatusCounts {
    return Object.fromEntries(this.tally);
  }

  get ids(): readonly string[] {
    return [...this.known.keys()];
  }

  get carried(): readonly CarriedMember[] {
    return [...this.known].map(packed);
  }

  /** The owners of all members, each once; contains undefined if a member's owner is not known. */
  get owners(): readonly (string | undefined)[] {
    return [...new Set(this.ids.map((id) => this.owned.get(id)))];
  }

  get carriedOwners(): CarriedOwners {
    const names = [...new Set(this.owned.values())];
    const places = new Map(names.map((name, index) => [name, index]));
    return { names, of: this.ids.map((id) => places.get(this.owned.get(id) ?? '') ?? -1) };
  }

  has(intentId: string): boolean {
    return this.known.has(intentId);
  }

  /** The suspended members that fulfil a condition, of all members or of one. */
  suspended(which: (member: ObservedMember) => boolean, only?: string): readonly Suspended[] {
    return (only === undefined ? this.ids : [only]).flatMap((intent_id) => {
      const member = this.known.get(intent_id);
      if (!member || !which(member)) return [];
      const { suspension_id, suspended_at, waiting_since } = member;
      if (waiting_since !== undefined) return [{ intent_id }];
      const isOpen = suspension_id !== undefined && suspended_at !== undefined;
      return isOpen ? [{ intent_id, suspension_id }] : [];
    });
  }

  /** Applies a member's announcement, or the state of a new member. */
  observe(snapshot: MemberSnapshot): Observation {
    const { intent_id } = snapshot;
    const before = this.known.get(intent_id);
    const observation = observeMember(before, snapshot);
    if (before) this.count(before.status, -1);
    this.count(observation.member.status, 1);
    this.known.set(intent_id, observation.member);
    return observation;
  }

  /**
   * Records the owner of a member. Beyond a total size of names the owner stays unknown, as for a member without one;
   * then nobody counts as the owner of all.
   */
  belongs(intentId: string, owner: string | undefined): void {
    if (owner === undefined) return;
    const isKnown = [...this.owned.values()].includes(owner);
    const bytes = this.ownerBytes + (isKnown ? 0 : jsonBytes(owner) + 1);
    if (bytes > WORKFLOW_LIMITS.keptOwnerBytes) return;
    this.ownerBytes = bytes;
    this.owned.set(intentId, owner);
  }

  /** The positions of members, which take fewer bytes than their ids. */
  placesOf(ids: readonly string[]): readonly number[] {
    const places = new Map(this.ids.map((id, index) => [id, index]));
    return ids.flatMap((id) => places.get(id) ?? []);
  }

  at(places: readonly number[]): readonly string[] {
    const { ids } = this;
    return places.flatMap((place) => ids[place] ?? []);
  }

  remove(intentId: string): void {
    const member = this.known.get(intentId);
    const owner = this.owned.get(intentId);
    this.owned.delete(intentId);
    const isLast = owner !== undefined && ![...this.owned.values()].includes(owner);
    if (isLast) this.ownerBytes -= jsonBytes(owner) + 1;
    if (member) this.count(member.status, -1);
    this.known.delete(intentId);
  }

  private count(status: IntentStatus, by: number): void {
    const count = (this.tally.get(status) ?? 0) + by;
    if (count === 0) this.tally.delete(status);
    else this.tally.set(status, count);
  }
}

function packed([intentId, member]: readonly [string, ObservedMember]): CarriedMember {
  const { version, last_sequence, status, suspension_id, suspended_at, waiting_since } = member;
  const place = [intentId, version, last_sequence, INTENT_STATUSES.indexOf(status)] as const;
  if (waiting_since !== undefined) {
    return [...place, suspension_id ?? null, null, toMillis(waiting_since)];
  }
  if (suspension_id === undefined) return place;
  return suspended_at === undefined
    ? [...place, suspension_id]
    : [...place, suspension_id, toMillis(suspended_at)];
}

function unpacked(carried: CarriedMember): readonly [string, ObservedMember] {
  const [intentId, version, last_sequence, place, ...rest] = carried;
  const status = INTENT_STATUSES[place] ?? 'active';
  const [suspension_id = null, suspended_at = null, waiting_since] = rest;
  const asked = {
    ...(suspension_id !== null && { suspension_id }),
    ...(suspended_at !== null && { suspended_at: toInstant(suspended_at) }),
    ...(waiting_since !== undefined && { waiting_since: toInstant(waiting_since) }),
  };
  return [intentId, { version, last_sequence, status, ...asked }];
}
