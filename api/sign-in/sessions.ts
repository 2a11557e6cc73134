import { createHash, randomBytes } from 'node:crypto';
import type { KeyHolder } from '../../contracts/caller.js';
import type { SessionConfig, SessionProof } from '../../contracts/session.js';
import { jsonEqual } from '../../domain/kernel/json.js';
import { authorize } from '../../domain/policy/authorize.js';
import {
  addSession,
  endSession,
  findSessions,
  noteSessionSeen,
} from '../../store/queries/session.js';
import type { StoredSession } from '../../store/queries/session.js';
import { demand, refusalOf } from '../errors.js';
import type { FromStore } from '../gateway/reads/from-store.js';
import type { KeyRing } from './key-ring.js';
import type { Session, SignedIn } from './sign-in.js';

interface Options {
  readonly ring: Pick<KeyRing, 'findDigest'>;
  readonly store: FromStore;
  readonly config: SessionConfig;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

/** A session that was just opened: what its cookie holds, and who signed in. */
export interface OpenedSession {
  readonly token: string;
  readonly caller: KeyHolder;
  readonly session: Session;
}

const TOKEN_BYTES = 32;
const TOKEN = /^[\w-]{43}$/;
/** A session that is used is noted so often at most. */
const NOTE_MS = 60_000;
/** How often the sessions that this process knows are looked at in the store. */
const LOOK_MS = 5_000;

const hash = (text: string): Buffer => createHash('sha256').update(text).digest();
/** The id of the session that a cookie stands for. */
export const idOf = (token: string): string => hash(token).toString('hex');
const csrfOf = (token: string): string => hash(`csrf\0${token}`).toString('base64url');
const isoOf = (ms: number): string => new Date(ms).toISOString();

/**
 * Sessions of people in browsers. The cookie holds a random token, the store its hash and what the session was opened with,
 * so that a session outlives this process, works in every other, and ends for good. While the store is away, those that
 * this process has seen go on: nobody can end one then.
 */
export class Sessions {
  private readonly options: Options;
  private readonly now: () => number;
  private readonly known = new Map<string, StoredSession>();
  private timer: NodeJS.Timeout | undefined;

  constructor(options: Options) {
    this.options = options;
    this.now = options.now ?? Date.now;
  }

  /** Looks every five seconds whether sessions that this process knows were ended elsewhere. */
  follow(): void {
    this.timer = setInterval(() => void this.look(), LOOK_MS).unref();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /**
   * Opens a session.
   *
   * @param replaced - the id of the session that the browser had, which ends
   * @throws RefusalError `forbidden` for a caller who may not use the inbox, `store_unavailable`; then the other goes on
   */
  async open(proof: SessionProof, caller: KeyHolder, replaced?: string): Promise<OpenedSession> {
    demand(authorize(caller, 'useInbox'));
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const now = this.now();
    const end = now + this.options.config.longest_seconds * 1_000;
    const session: StoredSession = {
      id: idOf(token),
      space: caller.space,
      principal: caller.principal,
      proof,
      seen_at: isoOf(now),
      expires_at: isoOf(proof.by === 'token' ? Math.min(end, Date.parse(proof.until)) : end),
    };
    await this.options.store(addSession, session, replaced);
    if (replaced !== undefined) this.known.delete(replaced);
    this.known.set(session.id, session);
    return { token, caller, session: this.viewOf(session, token) };
  }

  /**
   * Whose session a cookie stands for; undefined if it is none, or has ended. Notes that it was used.
   *
   * @throws RefusalError `store_unavailable` if the store is away and this process does not know the session
   */
  async find(token: string): Promise<SignedIn | undefined> {
    if (!TOKEN.test(token)) return undefined;
    const session = await this.read(idOf(token));
    if (session === undefined) return undefined;
    const caller = this.callerOf(session);
    if (caller === undefined) {
      // A key that comes back shall not bring back what it once opened.
      await this.options.store(endSession, session.id, isoOf(this.now()));
      this.known.delete(session.id);
      return undefined;
    }
    const { id } = session;
    return {
      caller,
      session: this.viewOf(this.noteSeen(session), token),
      holds: () => this.holds(id, caller),
    };
  }

  /** Ends a session for good, in every process. Throws RefusalError `store_unavailable`: then it goes on. */
  async end(id: string): Promise<void> {
    await this.options.store(endSession, id, isoOf(this.now()));
    this.known.delete(id);
  }

  /** Looks once. It never rejects: while the store is away, which is logged, nobody ends a session. */
  async look(): Promise<void> {
    const ids = [...this.known.keys()];
    if (ids.length === 0) return;
    const found = await this.options.store(findSessions, ids).catch(() => undefined);
    if (found === undefined) return;
    const live = new Map(found.map((session) => [session.id, session]));
    for (const id of ids) this.learn(id, live.get(id));
  }

  private async read(id: string): Promise<StoredSession | undefined> {
    try {
      const [found] = await this.options.store(findSessions, [id]);
      return this.learn(id, found);
    } catch (error) {
      const known = this.known.get(id);
      if (known === undefined || refusalOf(error)?.code !== 'store_unavailable') throw error;
      return known;
    }
  }

  /** Takes in what the store has; what this process has seen of its use may not be there yet. */
  private learn(id: string, found: StoredSession | undefined): StoredSession | undefined {
    const seen_at = this.known.get(id)?.seen_at ?? '';
    const session = found && {
      ...found,
      seen_at: found.seen_at > seen_at ? found.seen_at : seen_at,
    };
    if (session === undefined || this.endOf(session) <= this.now()) this.known.delete(id);
    else this.known.set(id, session);
    return session;
  }

  private noteSeen(session: StoredSession): StoredSession {
    const now = this.now();
    const seen = { ...session, seen_at: isoOf(now) };
    this.known.set(session.id, seen);
    if (now - Date.parse(session.seen_at) < NOTE_MS) return seen;
    // If it is lost, the session ends a little earlier.
    this.options.store(noteSessionSeen, session.id, seen.seen_at).catch(() => undefined);
    return seen;
  }

  private endOf({ seen_at, expires_at }: StoredSession): number {
    const idle = Date.parse(seen_at) + this.options.config.idle_seconds * 1_000;
    return Math.min(Date.parse(expires_at), idle);
  }

  /** Whom a session stands for now; undefined if it is over, or what it was opened with counts no more. */
  private callerOf(session: StoredSession): KeyHolder | undefined {
    if (this.endOf(session) <= this.now()) return undefined;
    const caller = this.provenBy(session.proof);
    if (caller?.space !== session.space || caller.principal !== session.principal) return undefined;
    return authorize(caller, 'useInbox').ok ? caller : undefined;
  }

  private provenBy(proof: SessionProof): KeyHolder | undefined {
    if (proof.by === 'token')
      return Date.parse(proof.until) > this.now() ? proof.caller : undefined;
    return this.options.ring.findDigest(Buffer.from(proof.digest, 'hex'))?.caller;
  }

  private viewOf(session: StoredSession, token: string): Session {
    const { id, expires_at } = session;
    const idle_expires_at = isoOf(this.endOf(session));
    return { id, csrf: csrfOf(token), expires_at, idle_expires_at };
  }

  /** Whether a session that this process knows still stands for the same caller. */
  private holds(id: string, caller: KeyHolder): boolean {
    const known = this.known.get(id);
    const now = known && this.callerOf(known);
    return now !== undefined && jsonEqual(now, caller);
  }
}
