import type { Role } from './api-key.js';

/**
 * Who calls, as a key or a token proves it. Every Update and every Signal that the API sends carries it as `by`,
 * and rules of who may do what look at nothing else: names in bodies and headers are only claimed.
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

/** What a message of the API says of its sender: who it is, and the name that its events show. */
export interface Sent {
  readonly by: Caller;
  /** As the sender claims it; the principal by default. It permits nothing. */
  readonly actor: string;
}
