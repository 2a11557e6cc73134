import type { Caller } from '../../contracts/people/caller.js';
import { readInstant } from './time.js';

/**
 * Checks messages that no validator has seen. Everyone in Temporal can send a Signal, and a handler that throws would
 * fail its workflow task for ever.
 */

/** The fields of an object of unknown form. */
export type Fields = Readonly<Record<string, unknown>>;

/** Temporal accepts workflow ids of at most 1,000 characters. */
const WORKFLOW_ID_CHARACTERS = 1_000;

/** Whether a value is an object and not a list. */
export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value is an ISO-8601 instant that the store can hold. */
export function isInstant(value: unknown): value is string {
  return readInstant(value) !== undefined;
}

/** Whether a value is one of the accepted texts. */
export function isOneOf<T extends string>(value: unknown, accepted: readonly T[]): value is T {
  return accepted.some((one) => one === value);
}

/** Whether a value can be the id of a workflow. */
export function isWorkflowId(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= WORKFLOW_ID_CHARACTERS;
}

/** Whether a value says who sent a message. */
export function isCaller(value: unknown): value is Caller {
  if (!isObject(value)) return false;
  const { space, principal, roles, groups } = value;
  const lists = [roles, groups];
  return (
    [space, principal].every((text) => typeof text === 'string') &&
    lists.every((list) => Array.isArray(list) && list.every((one) => typeof one === 'string'))
  );
}

/** Whether a value is a list of texts. */
export function isNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}
