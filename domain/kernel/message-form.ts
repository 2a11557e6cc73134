import type { Caller } from '../../contracts/people/caller.js';
import { readInstant } from './time.js';

/**
 * Checks messages that no validator has seen. Everyone with access to Temporal can send a Signal, and a handler that
 * throws would fail its workflow task for ever.
 */

export type Fields = Readonly<Record<string, unknown>>;

/** Temporal accepts workflow ids of at most 1,000 characters. */
const WORKFLOW_ID_CHARACTERS = 1_000;

export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value is an ISO-8601 instant that the store can hold. */
export function isInstant(value: unknown): value is string {
  return readInstant(value) !== undefined;
}

export function isOneOf<T extends string>(value: unknown, accepted: readonly T[]): value is T {
  return accepted.some((one) => one === value);
}

export function isWorkflowId(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= WORKFLOW_ID_CHARACTERS;
}

export function isCaller(value: unknown): value is Caller {
  if (!isObject(value)) return false;
  const { space, principal, roles, groups } = value;
  const lists = [roles, groups];
  return (
    [space, principal].every((text) => typeof text === 'string') &&
    lists.every((list) => Array.isArray(list) && list.every((one) => typeof one === 'string'))
  );
}

export function isNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}
