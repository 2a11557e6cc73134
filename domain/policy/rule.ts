import type { Permission } from '../../contracts/constants/access.js';
import type { Role } from '../../contracts/api-key.js';
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

/** What a role may do something to: anything in its space, or only what it is related to like this. */
export type Grant = 'any' | readonly Relation[];

/** Who may do something. A role that is left out may not. */
export interface Rule extends Readonly<Partial<Record<Role, Grant>>> {
  /** What others are refused with, if not with `forbidden`. */
  readonly code?: ErrorCode;
  /** What the access list of the intent has to permit, to agents whom it narrows. */
  readonly needs?: Permission;
}

/** Who may run an operation. In each of its cases another rule takes the place of this one. */
export interface Row extends Rule {
  /** No key is needed. */
  readonly isPublic?: true;
  /** It shows all spaces, so only keys of the default one may run it. */
  readonly isWhole?: true;
  readonly cases?: Readonly<Record<string, Rule>>;
}
