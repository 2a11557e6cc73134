import { noteWrite } from '../calls/request.js';
import type { WantedApproval } from '../../../store/queries/approval.js';

/** Beyond so many writes, of all spaces together, the oldest of the space that wrote longest ago is forgotten. */
const MOST = 100_000;

/** A state to wait for; a new object at each touch. */
export interface Entry<W> {
  readonly wanted: W;
  /** When a wait for it first failed, although the store answered. */
  lateSince: number | undefined;
}

/** The writes in one space that the store may not show yet, in the order in which they came. */
export interface SpaceMemory<W> {
  readonly entries: ReadonlyMap<string, Entry<W>>;
  /** Remembers a write of this replica, of the request that is being served. */
  readonly touch: (id: string, wanted: W) => Entry<W>;
  /** Remembers a write of another replica; it changes nothing where as much is known. */
  readonly learn: (id: string, wanted: W) => void;
  /** Nothing happens where the id was written again meanwhile. */
  readonly forget: (id: string, entry: Entry<W>) => void;
}

/** Returns what is wanted of an id that was written twice: the earlier one where the later adds nothing. */
export type Later<W> = (earlier: W, later: W) => W;

/**
 * The writes to one kind of thing, in all spaces. It is kept apart from the parts of the spaces, so that these can be
 * dropped without a read that misses a write, and all spaces share one limit.
 */
export class WriteMemory<W> {
  private readonly spaces = new Map<string, Map<string, Entry<W>>>();
  private readonly kind: string;
  private readonly later: Later<W>;
  private readonly most: number;
  private size = 0;

  /** @param kind - how replies name this kind of thing to other replicas */
  constructor(kind: string, later: Later<W>, most = MOST) {
    this.kind = kind;
    this.later = later;
    this.most = most;
  }

  in(space: string): SpaceMemory<W> {
    const entries = () => this.spaces.get(space) ?? new Map<string, Entry<W>>();
    const wantedOf = (id: string, wanted: W): W => {
      const earlier = entries().get(id);
      return earlier ? this.later(earlier.wanted, wanted) : wanted;
    };
    const put = (id: string, wanted: W) => {
      const entry = { wanted, lateSince: undefined };
      this.put(space, id, entry);
      return entry;
    };
    return {
      get entries() {
        return entries();
      },
      touch: (id, wanted) => {
        const entry = put(id, wantedOf(id, wanted));
        noteWrite({ kind: this.kind, id, wanted: entry.wanted });
        return entry;
      },
      learn: (id, wanted) => {
        const newest = wantedOf(id, wanted);
        if (newest !== entries().get(id)?.wanted) put(id, newest);
      },
      forget: (id, entry) => {
        if (entries().get(id) === entry) this.delete(space, id);
      },
    };
  }

  private put(space: string, id: string, entry: Entry<W>): void {
    this.delete(space, id);
    const own = this.spaces.get(space) ?? new Map<string, Entry<W>>();
    // Both maps keep what was written last at their end.
    this.spaces.delete(space);
    this.spaces.set(space, own.set(id, entry));
    this.size += 1;
    if (this.size > this.most) this.forgetOldest();
  }

  private delete(space: string, id: string): void {
    const own = this.spaces.get(space);
    if (!own?.delete(id)) return;
    this.size -= 1;
    if (own.size === 0) this.spaces.delete(space);
  }

  private forgetOldest(): void {
    const [[space, own] = []] = this.spaces;
    const [id] = own?.keys() ?? [];
    if (space !== undefined && id !== undefined) this.delete(space, id);
  }
}

/** How far the store's log of something has to come. */
export interface Position {
  /** Undefined until its workflow has been asked. */
  sequence: number | undefined;
}

export type WantedState = 'pending' | 'settled';

export type WantedStage = 'begun' | 'over';

export type Memories = ReturnType<typeof createMemories>;

export function createMemories() {
  return {
    logs: new WriteMemory<Position>('logs', furthest),
    questions: new WriteMemory<WantedState>('questions', lastOf(['pending', 'settled'])),
    approvals: new WriteMemory<WantedApproval>('approvals', laterApproval),
    tasks: new WriteMemory<number>('tasks', (earlier, later) => Math.max(earlier, later)),
    plans: new WriteMemory<number>('plans', (earlier, later) => Math.max(earlier, later)),
    subscriptions: new WriteMemory<WantedStage>('subscriptions', lastOf(['begun', 'over'])),
  };
}

/** The writes in one space that the store may not show yet. */
export type SpaceMemories = ReturnType<typeof memoriesIn>;

export function memoriesIn(all: Memories, space: string) {
  return {
    logs: all.logs.in(space),
    questions: all.questions.in(space),
    approvals: all.approvals.in(space),
    tasks: all.tasks.in(space),
    plans: all.plans.in(space),
    subscriptions: all.subscriptions.in(space),
  };
}

/**
 * Returns the further position. Where one is unknown, the workflow has to be asked anew: an answer under way may be
 * older than the later write.
 */
function furthest(earlier: Position, later: Position): Position {
  if (later.sequence === undefined) return later;
  if (earlier.sequence === undefined) return { sequence: undefined };
  return later.sequence > earlier.sequence ? later : earlier;
}

/** Returns a function that keeps the state which comes last in this order. */
function lastOf<S>(order: readonly S[]): (earlier: S, later: S) => S {
  return (earlier, later) => (order.indexOf(later) > order.indexOf(earlier) ? later : earlier);
}

/** Returns the later state: a decision comes after existence, and versions only rise. */
function laterApproval(earlier: WantedApproval, later: WantedApproval): WantedApproval {
  if (earlier === 'decided' || later === 'there') return earlier;
  const isOlder =
    typeof earlier === 'object' &&
    typeof later === 'object' &&
    'version' in earlier &&
    'version' in later &&
    earlier.version >= later.version;
  return isOlder ? earlier : later;
}
