import { AsyncLocalStorage } from 'node:async_hooks';
import type { ConnectionLike } from '@temporalio/client';
import { isDeepStrictEqual } from 'node:util';
import { oneLine } from '../runtime/program.js';
import type { TemporalConnectionOptions } from './connection.js';
import { reasonOf } from './errors.js';

/** How long a connection that was replaced stays open for calls that began with it, in milliseconds. */
const RETIRED_MS = 120_000;

/**
 * A connection to Temporal that is replaced when its credentials change, for clients that live longer. What begins in
 * the scope of a deadline or a signal stays on its first connection.
 */
export class FollowedConnection<C extends ConnectionLike> implements ConnectionLike {
  readonly plugins: ConnectionLike['plugins'] = [];
  /** The address is for messages; it never changes. */
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

export interface FollowedCredentials {
  /** The options with which the process has connected. */
  readonly first: TemporalConnectionOptions;
  /** Reads the options again; throws if they cannot be used. */
  readonly read: () => TemporalConnectionOptions;
  /** Connects with new credentials, and uses that connection from then on. Rejects if Temporal refuses them. */
  readonly take: (options: TemporalConnectionOptions) => Promise<void>;
  readonly log: {
    readonly info: (message: string) => void;
    readonly error: (fields: object, message: string) => void;
  };
}

/** The pause between two reads of the files, in milliseconds. */
const EVERY_MS = 5_000;

/**
 * Replaces the API key, the certificates and the headers for Temporal when their files change: after two equal reads,
 * so that a half-written file does not count, and once Temporal has accepted them. The address never changes.
 */
export class Credentials {
  private readonly followed: FollowedCredentials;
  private current: TemporalConnectionOptions;
  private seen: TemporalConnectionOptions | undefined;
  /** The failure that was logged last, so that it is logged once. */
  private failure = '';
  private isLooking = false;

  constructor(followed: FollowedCredentials) {
    this.followed = followed;
    this.current = followed.first;
  }

  /** Reads the files repeatedly until the signal aborts. */
  follow(signal: AbortSignal, everyMs = EVERY_MS): void {
    const looks = setInterval(() => void this.look(), everyMs).unref();
    signal.addEventListener('abort', () => clearInterval(looks), { once: true });
  }

  /** Reads the files once. It never rejects. */
  async look(): Promise<void> {
    if (this.isLooking) return;
    this.isLooking = true;
    try {
      await this.compare({ ...this.followed.read(), address: this.current.address });
      this.failure = '';
    } catch (error) {
      const reason = oneLine(reasonOf(error));
      if (reason !== this.failure) {
        const message = 'new credentials for Temporal cannot be used: the old ones stay';
        this.followed.log.error({ reason }, message);
      }
      this.failure = reason;
    } finally {
      this.isLooking = false;
    }
  }

  private async compare(found: TemporalConnectionOptions): Promise<void> {
    const wasSeen = isDeepStrictEqual(found, this.seen);
    this.seen = found;
    if (!wasSeen || isDeepStrictEqual(found, this.current)) return;
    await this.followed.take(found);
    this.current = found;
    this.followed.log.info('the credentials for Temporal were read again');
  }
}

/** A connection, and how to replace its credentials. */
export interface Following<C extends ConnectionLike> extends Pick<
  FollowedCredentials,
  'first' | 'read' | 'log'
> {
  readonly connection: C;
  readonly open: (options: TemporalConnectionOptions) => Promise<C>;
  readonly use?: (connection: C) => void;
  /** Aborts when the process stops. */
  readonly signal: AbortSignal;
  /** The pause between two reads of the files, in milliseconds; 5,000 by default. */
  readonly everyMs?: number;
}

/**
 * Makes a connection follow its credentials. Without any it is returned as it is, because a followed one costs a
 * little with each call.
 */
export function followCredentials<C extends ConnectionLike>(
  following: Following<C>,
): ConnectionLike {
  const { connection, first, open, use, signal, everyMs, ...others } = following;
  const { apiKey, tls, metadata } = first;
  if (apiKey === undefined && tls === undefined && metadata === undefined) return connection;
  const followed = new FollowedConnection(connection, first.address);
  const take = async (options: TemporalConnectionOptions): Promise<void> => {
    const next = await open(options);
    followed.replace(next);
    use?.(next);
  };
  new Credentials({ ...others, first, take }).follow(signal, everyMs);
  return followed;
}
