import type { Role } from './api-key.js';

/** The caller, as proved by a key or token. Every Update and Signal contains it as `by`; other names are only claims. */
export interface Caller {
  readonly space: string;
  readonly principal: string;
  readonly roles: readonly (Role | 'system')[];
  readonly groups: readonly string[];
}

/** A caller with the other properties of its key, which no message to a workflow contains. */
export interface KeyHolder extends Caller {
  readonly acts_for?: readonly string[];
}

/** The sender of a message of the API: its principal, and the name that its events show. */
export interface Sent {
  readonly by: Caller;
  /** The name that the sender claims; the principal by default. It gives no permissions. */
  readonly actor: string;
}
