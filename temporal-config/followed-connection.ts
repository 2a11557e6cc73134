import { AsyncLocalStorage } from 'node:async_hooks';
import type { ConnectionLike } from '@temporalio/client';

/** How long a connection that was replaced stays open for calls that began with it, in milliseconds. */
const RETIRED_MS = 120_000;

/**
 * A connection to Temporal that is replaced by another one when its credentials change, for clients that live longer. What
 * begins in the scope of a deadline or a signal stays on the connection that it began with.
 */
export class FollowedConnection<C extends ConnectionLike> implements ConnectionLike {
  readonly plugins: ConnectionLike['plugins'] = [];
  /** For people; it stays the same. */
  readonly options: { readonly address: string };
  private latest: C;
  private readonly scope = new AsyncLocalStorage<C>();
  private readonly retired = new Map<C, NodeJS.Timeout>();

  constructor(first: C, address: string) {
    this.latest = first;
    this.options = { address };
  }

  get workflowService(): C['workflowService'] {
    return this.connection.workflowService;
  }

  get operatorService(): C['operatorService'] {
    return this.connection.operatorService;
  }

  private get connection(): C {
    return this.scope.getStore() ?? this.latest;
  }

  /** New calls use this connection from now on. The one before is closed once its calls have had time to end. */
  replace(next: C): void {
    const before = this.latest;
    this.latest = next;
    const end = (): void => void this.close(before);
    this.retired.set(before, setTimeout(end, RETIRED_MS).unref());
  }

  ensureConnected(): Promise<void> {
    return this.connection.ensureConnected();
  }

  withDeadline<R>(deadline: number | Date, work: () => Promise<R>): Promise<R> {
    return this.inScope((connection) => connection.withDeadline(deadline, work));
  }

  withMetadata<R>(
    metadata: Parameters<ConnectionLike['withMetadata']>[0],
    work: () => Promise<R>,
  ): Promise<R> {
    return this.inScope((connection) => connection.withMetadata(metadata, work));
  }

  withAbortSignal<R>(signal: AbortSignal, work: () => Promise<R>): Promise<R> {
    return this.inScope((connection) => connection.withAbortSignal(signal, work));
  }

  /** Closes it, or only one that was replaced. */
  async close(only?: C): Promise<void> {
    const ended = only === undefined ? [this.latest, ...this.retired.keys()] : [only];
    for (const connection of ended) {
      clearTimeout(this.retired.get(connection));
      this.retired.delete(connection);
    }
    await Promise.all(ended.map((connection) => connection.close()));
  }

  private inScope<R>(work: (connection: C) => Promise<R>): Promise<R> {
    const { connection } = this;
    return this.scope.run(connection, () => work(connection));
  }
}
