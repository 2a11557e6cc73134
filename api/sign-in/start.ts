import { readFile } from 'node:fs/promises';
import type { Logger } from 'pino';
import { digestOf, readKeys } from '../../runtime/api-keys.js';
import { StartupError } from '../../runtime/program.js';
import type { Directory } from '../../contracts/people/directory.js';
import type { Caller } from '../../contracts/people/caller.js';
import {
  knownPeople,
  type Answering,
  type KnownPeople,
} from '../../domain/directory/known-people.js';
import { authorize } from '../../domain/policy/authorize.js';
import { presentSight } from '../../domain/subscription/subscription.js';
import {
  noteAnswering,
  noteSigningIn,
  type KeyHolding,
  type Sighted,
} from '../../store/queries/people/principal.js';
import { createHash } from 'node:crypto';
import type { OpenSession, SessionConfig } from '../../contracts/people/session.js';
import { takeSignInLink } from '../../store/queries/people/session.js';
import { standardRefusal } from '../errors.js';
import { Sessions, idOf, type OpenedSession } from './sessions.js';
import type { ApiKey } from '../../contracts/people/api-key.js';
import type { SignInConfig } from '../../contracts/people/sign-in.js';
import type { BrowserSignIn } from '../../runtime/browser-sign-in.js';
import { systemClock } from '../parts/calls/deadline.js';
import {
  createFromStore,
  type FromStore,
  type RunQuery,
  type WarningLog,
} from '../parts/reads/from-store.js';
import { IssuerLogin } from './issuer-login.js';
import { KeyRing } from './key-ring.js';
import { createSignIn, type Accepted, type SignIn } from './sign-in.js';
import { Tokens } from './tokens.js';

interface KeyFileOptions {
  /** Absolute. */
  readonly file: string;
  readonly isLoopback: boolean;
  readonly ring: Pick<KeyRing, 'replace'>;
  readonly log: Pick<Logger, 'info' | 'error'>;
}

/**
 * Replaces the keys when their file changes. It reads the file instead of watching it, to notice links and network
 * drives too. New content counts after two equal reads, so that no half-written file does.
 */
export class KeyFile {
  private readonly options: KeyFileOptions;
  /** What the last read found, and whether it was judged. */
  private seen: string | undefined;
  private isJudged = true;

  constructor(options: KeyFileOptions) {
    this.options = options;
  }

  /** Reads the file once. It never rejects. */
  async look(): Promise<void> {
    const content = await this.read();
    const found = typeof content === 'string' ? content : `\0${content.message}`;
    if (found !== this.seen) {
      this.isJudged = false;
      this.seen = found;
    } else if (!this.isJudged) {
      this.isJudged = true;
      this.judge(content);
    }
  }

  private async read(): Promise<string | Error> {
    try {
      return await readFile(this.options.file, 'utf8');
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  }

  private judge(content: string | Error): void {
    const { file, isLoopback, ring, log } = this.options;
    try {
      if (content instanceof Error) throw new StartupError(content.message);
      const keys = readKeys(content, { name: file, isLoopback });
      ring.replace(keys);
      log.info({ file, keys: keys.length }, 'the keys were read');
    } catch (error) {
      if (!(error instanceof StartupError)) throw error;
      log.error({ file, reason: error.message }, 'the key file cannot be used: the old keys stay');
    }
  }
}

interface PeopleOptions {
  readonly ring: Pick<KeyRing, 'valid'>;
  readonly directory?: Directory | undefined;
  /** Whether an issuer signs in people who are not known before. */
  readonly hasIssuer: boolean;
}

/** How many people of an issuer are remembered; the newest ones. */
const MOST_SEEN = 10_000;

/** The people who can answer, as far as this process knows: keys may be replaced while it runs. */
export class People {
  private readonly options: PeopleOptions;
  private readonly seen = new Map<string, Caller>();

  constructor(options: PeopleOptions) {
    this.options = options;
  }

  saw(accepted: readonly Accepted[]): void {
    for (const { caller } of accepted) {
      const key = JSON.stringify([caller.space, caller.principal]);
      this.seen.delete(key);
      this.seen.set(key, caller);
    }
    for (const key of [...this.seen.keys()].slice(0, -MOST_SEEN)) this.seen.delete(key);
  }

  in(space: string): KnownPeople {
    const { ring, directory, hasIssuer } = this.options;
    const signedIn = [...ring.valid.map(({ caller }) => caller), ...this.seen.values()];
    const answering = signedIn.flatMap((caller): readonly Answering[] => {
      if (authorize(caller, 'respond').ok) return [caller];
      const { principal: initiator } = caller;
      return authorize(caller, 'respond', { initiator }).ok ? [{ ...caller, only_own: true }] : [];
    });
    return knownPeople(space, answering, directory, !hasIssuer);
  }
}

interface PrincipalOptions {
  readonly ring: Pick<KeyRing, 'valid'>;
  /** Returns the callers of the tokens that were accepted since the last call; the newest comes last. */
  readonly takeTokens: () => readonly Accepted[];
  /** The intents that agents may read without an entry in an access list. */
  readonly agentsRead: 'all' | 'own';
  readonly store: RunQuery;
  readonly log: WarningLog;
}

/** Notes in the store, for the workers, who can sign in and what they may see: subscriptions deliver nothing else. */
export class PrincipalNotes {
  private readonly options: PrincipalOptions;
  private tokens: readonly Sighted[] = [];

  constructor(options: PrincipalOptions) {
    this.options = options;
  }

  /** Writes the notes. It never rejects: failed notes are written the next time. */
  async note(): Promise<void> {
    const { ring, takeTokens, store, log } = this.options;
    this.tokens = newest([...this.tokens, ...takeTokens().map((one) => this.sighted(one))]);
    const { tokens } = this;
    try {
      const byKey = ring.valid.map((one) => this.sighted(one));
      await store(noteSigningIn, { byKey, byToken: tokens });
      await store(noteAnswering, ring.valid.map(holdingOf));
      this.tokens = this.tokens.filter((one) => !tokens.includes(one));
    } catch (error) {
      log.warn({ err: error }, 'the store could not be told who can sign in');
    }
  }

  private sighted({ caller, until }: Accepted): Sighted {
    const { space, principal } = caller;
    return { space, principal, sight: presentSight(caller, this.options.agentsRead), until };
  }
}

function holdingOf({ caller }: Accepted): KeyHolding {
  const { space, principal, groups } = caller;
  return { space, principal, groups, answers: authorize(caller, 'respond').ok };
}

/** Keeps the newest entry for each principal and sight. */
function newest(all: readonly Sighted[]): readonly Sighted[] {
  const kept = new Map<string, Sighted>();
  for (const one of all) {
    const key = JSON.stringify([one.space, one.principal, one.sight]);
    const until = Math.max(one.until, kept.get(key)?.until ?? 0);
    kept.delete(key);
    kept.set(key, { ...one, until });
  }
  return [...kept.values()];
}

interface ProofOptions {
  readonly ring: Pick<KeyRing, 'findDigest'>;
  readonly sessions: Sessions;
  readonly store: FromStore;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

/** Opens sessions for people who prove who they are: by a key, or by a link that works once. */
export class Proofs {
  private readonly options: ProofOptions;
  private readonly now: () => number;

  constructor(options: ProofOptions) {
    this.options = options;
    this.now = options.now ?? Date.now;
  }

  /**
   * Opens a session.
   *
   * @param earlier - the cookie of the session that the browser had, which ends
   * @throws RefusalError `unauthenticated` for an unknown key or link, `forbidden` for an agent's key,
   *   `sign_in_link_used` or `sign_in_link_expired` with the instant, `store_unavailable`
   */
  async open({ key, link }: OpenSession, earlier?: string): Promise<OpenedSession> {
    const digest = key === undefined ? await this.take(link ?? '') : digestOf(key);
    const { ring, sessions } = this.options;
    const found = ring.findDigest(digest);
    if (found === undefined) throw standardRefusal('unauthenticated');
    const replaced = earlier === undefined ? undefined : idOf(earlier);
    return sessions.open({ by: 'key', digest: digest.toString('hex') }, found.caller, replaced);
  }

  /** Marks a link as used, and returns the digest of its key. */
  private async take(link: string): Promise<Buffer> {
    const id = createHash('sha256').update(link).digest('hex');
    const now = new Date(this.now()).toISOString();
    const use = await this.options.store(takeSignInLink, id, now);
    switch (use.is) {
      case 'taken':
        return Buffer.from(use.key_digest, 'hex');
      case 'used':
        throw standardRefusal('sign_in_link_used', { state: { used_at: use.at } });
      case 'expired':
        throw standardRefusal('sign_in_link_expired', { state: { expires_at: use.at } });
      case 'unknown':
        throw standardRefusal('unauthenticated');
    }
  }
}

interface Options {
  readonly keys: readonly ApiKey[];
  /** The file with the keys, which is read again when it changes. */
  readonly file: string | undefined;
  readonly isLoopback: boolean;
  readonly issuer: SignInConfig | undefined;
  readonly browserSignIn: BrowserSignIn | undefined;
  readonly secret: string;
  readonly session: SessionConfig;
  /** The people who can answer without a key. */
  readonly directory: Directory | undefined;
  /** The intents that agents may read without an entry in an access list. */
  readonly agentsRead: 'all' | 'own';
  readonly store: RunQuery;
  readonly log: Logger;
}

export interface Browsers {
  readonly sessions: Sessions;
  readonly proofs: Proofs;
  readonly login?: IssuerLogin | undefined;
}

interface Running {
  readonly signIn: SignIn;
  readonly browsers: Browsers;
  /** Returns the principals of a space that have keys, none of which permits answers; see `KeyRing`. */
  readonly agentsIn: (space: string, of?: 'others') => Pick<ReadonlySet<string>, 'has'>;
  /** Returns the people who can answer in a space, as far as this process knows. */
  readonly peopleIn: (space: string) => KnownPeople;
}

/** How often the key file is read; milliseconds, here and below. */
const KEY_FILE_MS = 5_000;
/** How often the store is asked for the sessions that this process knows. */
const SESSIONS_MS = 5_000;
/** How often it is noted for the workers which people have browsers with pushes. */
const PUSHES_MS = 30_000;
/** How often it is noted for the workers who can sign in. */
const PRINCIPALS_MS = 30_000;

export function startSignIn(options: Options): Running {
  const { keys, file, isLoopback, issuer, browserSignIn, secret, session } = options;
  const { agentsRead, directory, store, log } = options;
  const tokens = issuer && new Tokens({ config: issuer, log });
  const ring = new KeyRing(keys);
  if (file !== undefined) {
    const keyFile = new KeyFile({ file, isLoopback, ring, log });
    every(KEY_FILE_MS, () => keyFile.look());
  }
  const fromStore = createFromStore(store, systemClock(Date.now), log);
  const sessions = new Sessions({ ring, store: fromStore, config: session });
  every(SESSIONS_MS, () => sessions.look());
  every(PUSHES_MS, () => sessions.lookAfterPushes());
  const proofs = new Proofs({ ring, sessions, store: fromStore });
  const login = browserSignIn && new IssuerLogin({ ...browserSignIn, secret, sessions, log });
  const people = new People({ ring, directory, hasIssuer: issuer !== undefined });
  const takeTokens = () => {
    const accepted = [tokens, login].flatMap((one) => one?.takeAccepted() ?? []);
    people.saw(accepted);
    return accepted;
  };
  const principals = new PrincipalNotes({ ring, takeTokens, agentsRead, store, log });
  void principals.note();
  every(PRINCIPALS_MS, () => principals.note());
  return {
    signIn: createSignIn(ring, tokens),
    browsers: { sessions, proofs, login },
    agentsIn: (...of) => ring.agentsIn(...of),
    peopleIn: (space) => people.in(space),
  };
}

/** Repeats work that never rejects, without keeping the process alive. */
function every(ms: number, work: () => Promise<void>): void {
  setInterval(() => void work(), ms).unref();
}
