import type { Logger } from 'pino';
import type { ApiKey } from '../../contracts/people/api-key.js';
import type { Directory } from '../../contracts/people/directory.js';
import type { SessionConfig } from '../../contracts/people/session.js';
import type { SignInConfig } from '../../contracts/people/sign-in.js';
import type { KnownPeople } from '../../domain/directory/known-people.js';
import type { BrowserSignIn } from '../../runtime/browser-sign-in.js';
import { systemClock } from '../parts/calls/deadline.js';
import { createFromStore } from '../parts/reads/from-store.js';
import type { RunQuery } from '../parts/reads/from-store.js';
import { IssuerLogin } from './issuer-login.js';
import { KeyFile } from './key-file.js';
import { KeyRing } from './key-ring.js';
import { People } from './people.js';
import { PrincipalNotes } from './principals.js';
import { Proofs } from './proofs.js';
import { Sessions } from './sessions.js';
import { createSignIn } from './sign-in.js';
import type { SignIn } from './sign-in.js';
import { Tokens } from './tokens.js';

interface Options {
  readonly keys: readonly ApiKey[];
  /** The file of the keys, which is read again when it changes. */
  readonly file: string | undefined;
  /** Whether only this machine reaches the API. */
  readonly isLoopback: boolean;
  /** The issuer of tokens, if there is one. */
  readonly issuer: SignInConfig | undefined;
  /** How people sign in at the issuer with a browser, if they do. */
  readonly browserSignIn: BrowserSignIn | undefined;
  /** A secret of the installation. */
  readonly secret: string;
  /** How long people stay signed in. */
  readonly session: SessionConfig;
  /** The people who can answer without a key. */
  readonly directory: Directory | undefined;
  /** The intents that agents may read without an entry in an access list. */
  readonly agentsRead: 'all' | 'own';
  readonly store: RunQuery;
  readonly log: Logger;
}

/** How people sign in with a browser. */
export interface Browsers {
  readonly sessions: Sessions;
  readonly proofs: Proofs;
  /** Undefined if nobody signs in at an issuer. */
  readonly login?: IssuerLogin | undefined;
}

/** How an API process signs callers in, and what it knows about them. */
interface Running {
  readonly signIn: SignIn;
  readonly browsers: Browsers;
  /** Returns the principals of a space that have keys, none of which permits answers. */
  readonly agentsIn: (space: string, of?: 'others') => Pick<ReadonlySet<string>, 'has'>;
  /** Returns the people who can answer in a space, as far as this process knows. */
  readonly peopleIn: (space: string) => KnownPeople;
}

/** How often the key file is read; milliseconds, here and below. */
const KEY_FILE_MS = 5_000;
/** How often the store is asked for the sessions that this process knows. */
const SESSIONS_MS = 5_000;
/** How often the workers are told for whom browsers are that get pushes. */
const PUSHES_MS = 30_000;
/** How often the workers are told who can sign in. */
const PRINCIPALS_MS = 30_000;

/** Starts to sign callers in, for as long as the process lives. */
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
