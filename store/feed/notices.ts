import { sql } from 'kysely';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { Store } from '../schema.js';

/** The channel of `LISTEN` on which new events are announced. */
const FEED_CHANNEL = 'holdpoint_feed';

interface Notice {
  /** Whether events were committed since the one under way was sent. */
  again: boolean;
}

const underWay = new WeakMap<Store, Notice>();

/** Whether a store is the embedded one, whose notices reach nobody: they do not cross its connections. */
const embedded = new WeakMap<Store, Promise<boolean>>();

function isEmbedded(db: Store): Promise<boolean> {
  const known = embedded.get(db) ?? askWhether(db);
  embedded.set(db, known);
  known.catch(() => embedded.delete(db));
  return known;
}

async function askWhether(db: Store): Promise<boolean> {
  const { rows } = await sql<{ version: string }>`select version()`.execute(db);
  return rows[0]?.version.includes('PGlite') ?? false;
}

/**
 * Notifies the listeners that events were committed; a lost notice only causes a delay. It is not part of the
 * transaction because PostgreSQL lets only one transaction with a notice commit at a time.
 */
export function announceFeed(db: Store): void {
  const notice = underWay.get(db);
  if (notice === undefined) void announce(db);
  else notice.again = true;
}

async function announce(db: Store): Promise<void> {
  const notice: Notice = { again: true };
  underWay.set(db, notice);
  try {
    if (await isEmbedded(db)) return;
    while (notice.again) {
      notice.again = false;
      await sql`select pg_notify(${FEED_CHANNEL}, '')`.execute(db);
    }
  } catch {
    // The store is away: listeners have lost their connections too, and look again when they reconnect.
  } finally {
    underWay.delete(db);
  }
}

/** How long the store may take to pass a notice from one connection to another. */
const TRIAL_MS = 2_000;
const RECONNECT_MS = 1_000;
const CONNECTION_TIMEOUT_MS = 2_000;

/**
 * Listens for new events on its own connection, and reconnects when that is lost. It tests whether notices cross
 * connections: they do not on the embedded store, nor behind a pooler that shares connections between transactions.
 */
export class FeedListener {
  private readonly url: string;
  private readonly db: Store;
  private readonly onNotice: () => void;
  private readonly onLost: () => void;
  private client: pg.Client | undefined;
  private timer: NodeJS.Timeout | undefined;
  private heard = false;
  private closed = false;

  /** `onNotice` is called for each notice, from now until `close`, and `onLost` when a connection was lost. */
  constructor(url: string, db: Store, onNotice: () => void, onLost: () => void = () => undefined) {
    this.url = url;
    this.db = db;
    this.onNotice = onNotice;
    this.onLost = onLost;
    void this.open();
  }

  /** Whether notices arrive at present; otherwise the caller has to poll. */
  get hears(): boolean {
    return this.heard;
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
    if (this.client !== undefined) this.lose(this.client);
  }

  private async open(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.url,
      connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
      keepAlive: true,
    });
    this.client = client;
    const token = randomUUID();
    const lose = (): void => this.lose(client);
    client.on('error', lose).on('end', lose);
    client.on('notification', ({ payload }) => {
      this.heard ||= payload === token && client === this.client;
      this.onNotice();
    });
    try {
      await client.connect();
      await client.query(`listen ${FEED_CHANNEL}`);
      await sql`select pg_notify(${FEED_CHANNEL}, ${token})`.execute(this.db);
      if (client === this.client) this.timer = setTimeout(() => void this.judge(client), TRIAL_MS);
    } catch {
      // It reconnects later; meanwhile the hub polls.
      lose();
    }
  }

  private lose(client: pg.Client): void {
    if (client !== this.client) return;
    this.client = undefined;
    this.heard = false;
    clearTimeout(this.timer);
    client.end().catch(() => undefined);
    if (this.closed) return;
    this.onLost();
    this.timer = setTimeout(() => void this.open(), RECONNECT_MS);
  }

  /** Stops listening when the test notice did not arrive: notices would reach another connection. */
  private async judge(client: pg.Client): Promise<void> {
    if (this.heard || client !== this.client) return;
    this.client = undefined;
    try {
      await client.query(`unlisten ${FEED_CHANNEL}`);
      await client.end();
    } catch {
      // The connection is gone, as intended.
    }
  }
}
