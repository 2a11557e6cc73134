import { isDeepStrictEqual } from 'node:util';
import type { ConnectionLike } from '@temporalio/client';
import { oneLine } from '../runtime/program.js';
import type { TemporalConnectionOptions } from './connection.js';
import { reasonOf } from './errors.js';
import { FollowedConnection } from './followed-connection.js';

/** What is needed to follow credentials. */
export interface FollowedCredentials {
  /** The options with which the process has connected. */
  readonly first: TemporalConnectionOptions;
  /** Reads the options again; throws if they cannot be used. */
  readonly read: () => TemporalConnectionOptions;
  /** Connects with new credentials, and uses that connection from then on. Rejects if Temporal does not take them. */
  readonly take: (options: TemporalConnectionOptions) => Promise<void>;
  readonly log: {
    readonly info: (message: string) => void;
    readonly error: (fields: object, message: string) => void;
  };
}

/** The pause between two looks, in milliseconds. */
const EVERY_MS = 5_000;

/**
 * Takes over the API key, the certificates and the headers for Temporal when their files change. New ones count once two looks
 * in a row have found them, so that a half-written file does not count, and once Temporal has answered to them. Until then the
 * old ones stay. The address stays as it was at the start.
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

  /** Looks until the signal aborts. */
  follow(signal: AbortSignal, everyMs = EVERY_MS): void {
    const looks = setInterval(() => void this.look(), everyMs).unref();
    signal.addEventListener('abort', () => clearInterval(looks), { once: true });
  }

  /** Looks once. It never rejects. */
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

/** A connection and what follows its credentials. */
export interface Following<C extends ConnectionLike> extends Pick<
  FollowedCredentials,
  'first' | 'read' | 'log'
> {
  readonly connection: C;
  /** Connects at once, or rejects. */
  readonly open: (options: TemporalConnectionOptions) => Promise<C>;
  /** Is told of each new connection. */
  readonly use?: (connection: C) => void;
  /** Aborts when the process stops. */
  readonly signal: AbortSignal;
  /** The pause between two looks, in milliseconds; 5,000 by default. */
  readonly everyMs?: number;
}

/**
 * Makes a connection follow its credentials. Without any it is returned as it is, because then nothing can change and a
 * followed one costs a little with each call.
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
