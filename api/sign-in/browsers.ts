import type { IssuerLogin } from './issuer-login.js';
import type { Proofs } from './proofs.js';
import type { Sessions } from './sessions.js';

/** How people sign in with a browser. */
export interface Browsers {
  readonly sessions: Sessions;
  readonly proofs: Proofs;
  /** Undefined if nobody signs in at an issuer. */
  readonly login?: IssuerLogin | undefined;
}
