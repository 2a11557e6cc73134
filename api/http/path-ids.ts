import type { Request } from 'express';
import { ERRORS } from '../../contracts/constants/errors.js';
import { RefusalError } from '../errors.js';
import { isEntityId } from '../gateway/ids.js';

/** The ids a path may hold, each with what is told where there is no such thing (R25-80). */
export const PATH_IDS = {
  intentId: 'intent_not_found',
  suspensionId: 'suspension_not_found',
  leaseId: 'lease_not_found',
} as const;
type PathId = keyof typeof PATH_IDS;

type Names<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | Names<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

/** The ids of a route's path by name, e.g. `{intentId}` for `/intents/:intentId/status`. */
export type PathIds<Path extends string> = Readonly<Record<Names<Path> & PathId, string>>;

/** The names of the ids in a path's pattern, in order. */
export function idNamesIn(path: string): readonly PathId[] {
  return [...path.matchAll(/:(\w+)/g)].flatMap(([, name]) =>
    name !== undefined && Object.hasOwn(PATH_IDS, name) ? [name as PathId] : [],
  );
}

/**
 * The ids a request's path names; what is no id of ours is not found.
 *
 * @throws RefusalError `intent_not_found`, `suspension_not_found` or `lease_not_found`
 */
export function pathIdsOf<Path extends string>(path: Path, req: Request): PathIds<Path> {
  const ids = idNamesIn(path).map((name) => {
    const value = req.params[name];
    if (typeof value === 'string' && isEntityId(value)) return [name, value];
    throw new RefusalError({ code: PATH_IDS[name], detail: ERRORS[PATH_IDS[name]][2] });
  });
  return Object.fromEntries(ids) as PathIds<Path>;
}
