import type { Logger } from 'pino';
import type { ApiKey } from '../../contracts/api-key.js';
import type { SignInConfig } from '../../contracts/sign-in.js';
import type { RunQuery } from '../gateway/reads/from-store.js';
import { KeyFile } from './key-file.js';
import { KeyRing } from './key-ring.js';
import { PrincipalNotes } from './principals.js';
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
  readonly store: RunQuery;
  readonly log: Logger;
}

/** How an API process signs callers in, and what it knows of them. */
interface Running {
  readonly signIn: SignIn;
  /** The principals of a space that have keys, none of which lets them answer. */
  readonly agentsIn: (space: string) => Pick<ReadonlySet<string>, 'has'>;
}

/** Begins to sign callers in, for as long as the process lives. */
export function startSignIn(options: Options): Running {
  const { keys, file, isLoopback, issuer, store, log } = options;
  const tokens = issuer && new Tokens({ config: issuer, log });
  const ring = new KeyRing(keys);
  if (file !== undefined) new KeyFile({ file, isLoopback, ring, log }).follow();
  new PrincipalNotes({ ring, takeTokens: () => tokens?.takeAccepted() ?? [], store, log }).follow();
  return { signIn: createSignIn(ring, tokens), agentsIn: (space) => ring.agentsIn(space) };
}
