import type { Caller, KeyHolder } from '../../contracts/caller.js';

/** Who sent a request, as a key or a token proves it. */
export interface SignedIn {
  readonly caller: KeyHolder;
  /** Whether what proved it still counts. */
  readonly holds: () => boolean;
  /** When the token expires that proved it, if one did; milliseconds since the epoch. */
  readonly until?: number;
  /** The session in a browser that proved it, if one did. */
  readonly session?: Session;
}

/** Whom a key or a token stands for, and until when; in milliseconds since the epoch, Infinity for ever. */
export interface Accepted {
  readonly caller: Caller;
  readonly until: number;
}

/** A session as a request of it may know it. */
export interface Session {
  readonly id: string;
  /** What every request that changes something has to repeat in a header. */
  readonly csrf: string;
  readonly expires_at: string;
  readonly idle_expires_at: string;
}

/** What a request has to prove its sender with; an empty text stands for nothing. */
export interface Credentials {
  readonly key: string;
  readonly token: string;
}

/** How callers prove who they are. */
export interface SignIn {
  /** What a 401 says in `WWW-Authenticate`. */
  readonly challenge: string;
  /** Who sent a request; undefined if nothing proves it. Throws RefusalError `issuer_unavailable`, `too_many_groups`. */
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
    challenge: tokens === undefined ? BY_KEY : `${BY_KEY}, Bearer`,
    async find({ key, token }) {
      if (key !== '' || token === '') return ring.find(key);
      return tokens?.find(token);
    },
  };
}
