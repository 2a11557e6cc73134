import type { Permission } from '../../contracts/constants/access.js';
import type { Role } from '../../contracts/people/api-key.js';
import type { ErrorCode } from '../../contracts/constants/errors.js';

/**
 * How a caller can be related to a thing. Every name here is a principal that a key proved.
 *
 * - `owner`: created the intent
 * - `owners`: created each one of several intents
 * - `asker`: asked the question
 * - `holder`: holds the lease; for an open question, a lease that is older than it
 * - `maker`: made the plan, task, registration or subscription
 * - `assignee`: has the task
 * - `named`: may resume the pause, as who opened it has said
 * - `claimer`: has claimed the question, or has passed it on
 * - `initiator`: the user for whom the agent acts that asked for an approval
 */
export type Relation =
  | 'owner'
  | 'owners'
  | 'asker'
  | 'holder'
  | 'maker'
  | 'assignee'
  | 'named'
  | 'claimer'
  | 'initiator';

/** The things on which a role may act: all in its space, or only those with one of these relations to it. */
export type Grant = 'any' | readonly Relation[];

/** The roles that may do something. A role that is left out may not. */
export interface Rule extends Readonly<Partial<Record<Role, Grant>>> {
  /** The code with which others are refused, if not `forbidden`. */
  readonly code?: ErrorCode;
  /** The permission that agents need in the access list of the intent, if it narrows them. */
  readonly needs?: Permission;
}

/** The roles that may run an operation. In each of its cases another rule replaces this one. */
export interface Row extends Rule {
  /** No key is needed. */
  readonly isPublic?: true;
  /** It shows all spaces, so only keys of the default one may run it. */
  readonly isWhole?: true;
  readonly cases?: Readonly<Record<string, Rule>>;
}
