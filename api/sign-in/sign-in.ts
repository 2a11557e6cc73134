import type { Caller, KeyHolder } from '../../contracts/people/caller.js';

/** The sender of a request, proven by a key, a token or a session. */
export interface SignedIn {
  readonly caller: KeyHolder;
  readonly holds: () => boolean;
  /** When the token expires, if a token proved it; milliseconds since the epoch. */
  readonly until?: number;
  readonly session?: Session;
}

/** The caller of a key or token, and when that expires: milliseconds since the epoch, or Infinity. */
export interface Accepted {
  readonly caller: Caller;
  readonly until: number;
}

export interface Session {
  readonly id: string;
  /** The token that each write has to repeat in a header. */
  readonly csrf: string;
  readonly expires_at: string;
  readonly idle_expires_at: string;
}

/** The credentials of a request; an empty text means that there is none. */
export interface Credentials {
  readonly key: string;
  readonly token: string;
}

export interface SignIn {
  /** The `WWW-Authenticate` header of a 401. */
  readonly challenge: string;
  /** Whether tokens of an issuer are accepted, besides keys. */
  readonly takesTokens: boolean;
  /** Returns the sender of a request; undefined without a proof. Throws RefusalError `issuer_unavailable`, `too_many_groups`. */
  readonly find: (credentials: Credentials) => Promise<SignedIn | undefined>;
}

interface FindsByKey {
  find(key: string): SignedIn | undefined;
}

interface FindsByToken {
  find(token: string): Promise<SignedIn | undefined>;
}

const BY_KEY = 'ApiKey header="X-API-Key"';

/** Signs callers in by their keys, and by tokens if there is an issuer. If a request has both, the key counts. */
export function createSignIn(ring: FindsByKey, tokens?: FindsByToken): SignIn {
  return {
    takesTokens: tokens !== undefined,
    challenge: tokens === undefined ? BY_KEY : `${BY_KEY}, Bearer`,
    async find({ key, token }) {
      if (key !== '' || token === '') return ring.find(key);
      return tokens?.find(token);
    },
  };
}
