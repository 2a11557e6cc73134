interface Closing {
  readonly close: () => Promise<void>;
}

const pools: Closing[] = [];

/** Ends the servers of every pool of this process. */
export async function closePools(): Promise<void> {
  await Promise.all(pools.map((pool) => pool.close()));
}

/** A kind of server that is slow to start. */
export interface PooledKind<S> {
  readonly start: () => Promise<S>;
  /** Takes away what the last user left; says whether the next may have the server. */
  readonly clean: (server: S) => Promise<boolean>;
  readonly stop: (server: S) => Promise<void>;
}

/**
 * Servers that test files use one after the other. Each has its user to itself: who asks while all are in use
 * gets a new one.
 */
export class ServerPool<S> {
  private readonly kind: PooledKind<S>;
  private readonly free: S[] = [];
  /** Nobody waits for a server that stops, until all have to. */
  private readonly stopping: Promise<void>[] = [];

  constructor(kind: PooledKind<S>) {
    this.kind = kind;
    pools.push(this);
  }

  async take(): Promise<S> {
    return this.free.pop() ?? this.kind.start();
  }

  async giveBack(server: S): Promise<void> {
    if (await this.kind.clean(server)) this.free.push(server);
    else this.stopping.push(this.kind.stop(server));
  }

  /** Ends the servers that nobody uses. */
  async close(): Promise<void> {
    this.stopping.push(...this.free.splice(0).map((server) => this.kind.stop(server)));
    await Promise.all(this.stopping.splice(0));
  }
}
