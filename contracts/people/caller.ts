import type { Role } from './api-key.js';

/**
 * The caller, as a key or token proves it. Every Update and Signal carries it as `by`; other names are only claims.
 */
export interface Caller {
  readonly space: string;
  readonly principal: string;
  readonly roles: readonly (Role | 'system')[];
  readonly groups: readonly string[];
}

/** A caller with what its key says besides. No message to a workflow carries that. */
export interface KeyHolder extends Caller {
  /** The users in whose name it may ask for approvals. */
  readonly acts_for?: readonly string[];
}

/** The sender of a message of the API: its principal, and the name that its events show. */
export interface Sent {
  readonly by: Caller;
  /** The name that the sender claims; the principal by default. It permits nothing. */
  readonly actor: string;
}
