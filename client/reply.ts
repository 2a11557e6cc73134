import type { SuspensionView } from '../contracts/suspension-view.js';
import { HoldpointError } from './errors.js';
import { isObject } from './problem.js';

/** The list that a reply holds under its name. */
export function listIn(body: unknown, name: string): readonly unknown[] {
  const list = isObject(body) ? body[name] : undefined;
  if (!Array.isArray(list)) throw unexpected(`a list of ${name}`);
  return list;
}

/** A suspension's view; anything else (a proxy's own 200) throws `unexpected_reply`. */
export function viewIn(body: unknown): SuspensionView {
  if (isObject(body) && isObject(body['record']) && typeof body['attempt'] === 'number') {
    return body as unknown as SuspensionView;
  }
  throw unexpected('a suspension');
}

/** The error for a reply that is none of ours. */
export function unexpected(wanted: string): HoldpointError {
  return new HoldpointError('unexpected_reply', `The reply does not hold ${wanted}.`);
}
