/** Beyond so many writes, of all spaces together, the oldest of the space that wrote longest ago is forgotten. */
const MOST = 100_000;

/** What is to be waited for; a new object at each touch. */
export interface Entry<W> {
  readonly wanted: W;
  /** When it was first waited for in vain, although the store answered. */
  lateSince: number | undefined;
}

/** What this replica wrote in one space and the store does not show yet, oldest first. */
export interface SpaceMemory<W> {
  readonly entries: ReadonlyMap<string, Entry<W>>;
  readonly put: (id: string, entry: Entry<W>) => void;
  /** Nothing happens where the id was written again meanwhile. */
  readonly forget: (id: string, entry: Entry<W>) => void;
}

/**
 * What this replica wrote of one kind of thing, in all spaces. It lies outside the gateways of the spaces, so that
 * these can be let go without a read that misses a write, and so that all spaces together have one limit.
 */
export class WriteMemory<W> {
  private readonly spaces = new Map<string, Map<string, Entry<W>>>();
  private readonly most: number;
  private size = 0;

  constructor(most = MOST) {
    this.most = most;
  }

  in(space: string): SpaceMemory<W> {
    const entries = () => this.spaces.get(space) ?? new Map<string, Entry<W>>();
    return {
      get entries() {
        return entries();
      },
      put: (id, entry) => {
        this.put(space, id, entry);
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
