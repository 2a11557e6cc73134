import { createHash, randomBytes } from 'node:crypto';
import type { Caller, KeyHolder } from '../../contracts/people/caller.js';
import type { SessionConfig, SessionProof } from '../../contracts/people/session.js';
import { jsonEqual } from '../../domain/kernel/json.js';
import { authorize } from '../../domain/policy/authorize.js';
import {
  addSession,
  endSession,
  findSessions,
  noteSessionSeen,
  type StoredSession,
} from '../../store/queries/people/session.js';
import { notePushCallers, sessionsWithPush } from '../../store/queries/work/push.js';
import { demand, refusalOf } from '../errors.js';
import { proven } from '../parts/caller.js';
import type { FromStore } from '../parts/reads/from-store.js';
import type { KeyRing } from './key-ring.js';
import type { Session, SignedIn } from './sign-in.js';

interface Options {
  readonly ring: Pick<KeyRing, 'findDigest'>;
  readonly store: FromStore;
  readonly config: SessionConfig;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

export interface OpenedSession {
  readonly token: string;
  readonly caller: KeyHolder;
  readonly session: Session;
}

const TOKEN_BYTES = 32;
const TOKEN = /^[\w-]{43}$/;
/** The shortest time between two notes that a session was used. */
const NOTE_MS = 60_000;
/** Any read of the store is over within this time. */
const READ_MS = 60_000;

const hash = (text: string): Buffer => createHash('sha256').update(text).digest();
/** Returns the id of the session that a cookie stands for. */
export const idOf = (token: string): string => hash(token).toString('hex');
const csrfOf = (token: string): string => hash(`csrf\0${token}`).toString('base64url');
const isoOf = (ms: number): string => new Date(ms).toISOString();

/**
 * Sessions of people in browsers. The cookie holds a random token; the store holds its hash, so that a session works
 * in every process and ends for good. While the store is away, known sessions go on.
 */
export class Sessions {
  private readonly options: Options;
  private readonly now: () => number;
  private readonly known = new Map<string, StoredSession>();
  /** The times at which sessions ended here, the oldest first: a read that began before may still find them. */
  private readonly ended = new Map<string, number>();

  constructor(options: Options) {
    this.options = options;
    this.now = options.now ?? Date.now;
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
    if (replaced !== undefined) this.forget(replaced);
    this.known.set(session.id, session);
    return { token, caller, session: this.viewOf(session, token) };
  }

  /**
   * Returns the caller of the session that a cookie stands for, and notes the use; undefined if there is none, or it has ended.
   *
   * @throws RefusalError `store_unavailable` if the store is away and this process does not know the session
   */
  async find(token: string): Promise<SignedIn | undefined> {
    if (!TOKEN.test(token)) return undefined;
    const session = await this.read(idOf(token));
    if (session === undefined) return undefined;
    const caller = this.callerOf(session);
    if (caller === undefined) {
      // It ends for good, so that a key which is added again does not restore it. One that is only idle keeps its
      // pushes.
      if (this.holderOf(session) === undefined) await this.end(session.id);
      return undefined;
    }
    const { id } = session;
    return {
      caller,
      session: this.viewOf(this.noteSeen(session), token),
      holds: () => this.holds(id, caller),
    };
  }

  /** Ends a session in every process. Throws RefusalError `store_unavailable`: then it goes on. */
  async end(id: string): Promise<void> {
    await this.options.store(endSession, id, isoOf(this.now()));
    this.forget(id);
  }

  private forget(id: string): void {
    this.known.delete(id);
    const now = this.now();
    for (const [earlier, at] of this.ended) {
      if (now - at < READ_MS) break;
      this.ended.delete(earlier);
    }
    this.ended.set(id, now);
  }

  /** Finds out which known sessions ended elsewhere. It never rejects: while the store is away, nobody ends a session. */
  async look(): Promise<void> {
    const ids = [...this.known.keys()];
    if (ids.length === 0) return;
    const found = await this.options.store(findSessions, ids).catch(() => undefined);
    if (found === undefined) return;
    const live = new Map(found.map((session) => [session.id, session]));
    for (const id of ids) this.learn(id, live.get(id));
  }

  /**
   * Notes the owners of sessions whose browsers get pushes, and ends those that are over or no longer valid, because
   * a closed browser sends no request that would. It never rejects.
   */
  async lookAfterPushes(): Promise<void> {
    const found = await this.options.store(sessionsWithPush).catch(() => []);
    const noted: (readonly [string, Caller])[] = [];
    for (const session of found) {
      const caller = this.holderOf(session);
      if (caller !== undefined) noted.push([session.id, proven(caller)]);
      else await this.end(session.id).catch(() => undefined);
    }
    await this.options.store(notePushCallers, noted, isoOf(this.now())).catch(() => undefined);
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

  /** Keeps the later of what the store has and what this process knows of a session's use. */
  private learn(id: string, read: StoredSession | undefined): StoredSession | undefined {
    const found = this.ended.has(id) ? undefined : read;
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
    // If this write is lost, the session ends a little earlier.
    this.options.store(noteSessionSeen, session.id, seen.seen_at).catch(() => undefined);
    return seen;
  }

  private endOf({ seen_at, expires_at }: StoredSession): number {
    const idle = Date.parse(seen_at) + this.options.config.idle_seconds * 1_000;
    return Math.min(Date.parse(expires_at), idle);
  }

  /** Returns the caller of a session; undefined if it is over, or its key or token is no longer valid. */
  private callerOf(session: StoredSession): KeyHolder | undefined {
    return this.endOf(session) <= this.now() ? undefined : this.holderOf(session);
  }

  /**
   * Returns the owner of a session, which may be idle; undefined if it is over, or its key or token is no longer
   * valid.
   */
  private holderOf(session: StoredSession): KeyHolder | undefined {
    if (Date.parse(session.expires_at) <= this.now()) return undefined;
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

  /** Whether a known session still belongs to the same caller. */
  private holds(id: string, caller: KeyHolder): boolean {
    const known = this.known.get(id);
    const now = known && this.callerOf(known);
    return now !== undefined && jsonEqual(now, caller);
  }
}
