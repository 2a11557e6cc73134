import type { Logger } from 'pino';
import type { ApiKey } from '../../contracts/api-key.js';
import type { Directory } from '../../contracts/directory.js';
import type { SessionConfig } from '../../contracts/session.js';
import type { SignInConfig } from '../../contracts/sign-in.js';
import type { KnownPeople } from '../../domain/directory/known-people.js';
import type { BrowserSignIn } from '../../runtime/browser-sign-in.js';
import { systemClock } from '../gateway/calls/deadline.js';
import { createFromStore } from '../gateway/reads/from-store.js';
import type { RunQuery } from '../gateway/reads/from-store.js';
import type { Browsers } from './browsers.js';
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
  /** The file that the keys are in, which is read again when it changes. */
  readonly file: string | undefined;
  /** Whether only this machine reaches the API. */
  readonly isLoopback: boolean;
  /** The issuer of tokens, if there is one. */
  readonly issuer: SignInConfig | undefined;
  /** How people sign in there with a browser, if they do, and a secret of the installation. */
  readonly browserSignIn: BrowserSignIn | undefined;
  readonly secret: string;
  /** How long people stay signed in. */
  readonly session: SessionConfig;
  /** Who is in it can answer too. */
  readonly directory: Directory | undefined;
  /** What agents read that no access list names. */
  readonly agentsRead: 'all' | 'own';
  readonly store: RunQuery;
  readonly log: Logger;
}

/** How an API process signs callers in, and what it knows of them. */
interface Running {
  readonly signIn: SignIn;
  readonly browsers: Browsers;
  /** The principals of a space that have keys, none of which lets them answer. */
  readonly agentsIn: (space: string, of?: 'others') => Pick<ReadonlySet<string>, 'has'>;
  /** Who can answer in a space, as far as this process knows it now. */
  readonly peopleIn: (space: string) => KnownPeople;
}

/** Begins to sign callers in, for as long as the process lives. */
export function startSignIn(options: Options): Running {
  const { keys, file, isLoopback, issuer, browserSignIn, secret, session } = options;
  const { agentsRead, directory, store, log } = options;
  const tokens = issuer && new Tokens({ config: issuer, log });
  const ring = new KeyRing(keys);
  if (file !== undefined) new KeyFile({ file, isLoopback, ring, log }).follow();
  const fromStore = createFromStore(store, systemClock(Date.now), log);
  const sessions = new Sessions({ ring, store: fromStore, config: session });
  sessions.follow();
  const proofs = new Proofs({ ring, sessions, store: fromStore });
  const login = browserSignIn && new IssuerLogin({ ...browserSignIn, secret, sessions, log });
  const people = new People({ ring, directory, hasIssuer: issuer !== undefined });
  const takeTokens = () => {
    const accepted = [tokens, login].flatMap((one) => one?.takeAccepted() ?? []);
    people.saw(accepted);
    return accepted;
  };
  new PrincipalNotes({ ring, takeTokens, agentsRead, store, log }).follow();
  return {
    signIn: createSignIn(ring, tokens),
    browsers: { sessions, proofs, login },
    agentsIn: (...of) => ring.agentsIn(...of),
    peopleIn: (space) => people.in(space),
  };
}
