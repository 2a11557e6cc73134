import { noteWrite } from '../calls/request.js';

/** Beyond so many writes, of all spaces together, the oldest of the space that wrote longest ago is forgotten. */
const MOST = 100_000;

/** A state to wait for; a new object at each touch. */
export interface Entry<W> {
  readonly wanted: W;
  /** When it was first waited for in vain, although the store answered. */
  lateSince: number | undefined;
}

/** The writes in one space that the store may not show yet, those that came last at the end. */
export interface SpaceMemory<W> {
  readonly entries: ReadonlyMap<string, Entry<W>>;
  /** Remembers a write of this replica, of the request that is being served. */
  readonly touch: (id: string, wanted: W) => Entry<W>;
  /** Remembers a write of another replica; it changes nothing where as much is known. */
  readonly learn: (id: string, wanted: W) => void;
  /** Nothing happens where the id was written again meanwhile. */
  readonly forget: (id: string, entry: Entry<W>) => void;
}

/** What is wanted of an id that was written twice. It returns the earlier one where the later adds nothing. */
export type Later<W> = (earlier: W, later: W) => W;

/**
 * The writes to one kind of thing, in all spaces. It lies outside the parts of the spaces, so that
 * these can be let go without a read that misses a write, and so that all spaces together have one limit.
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
