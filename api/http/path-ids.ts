import type { Request } from 'express';
import { z } from 'zod';
import { ERRORS } from '../../contracts/constants/errors.js';
import { nameSchema } from '../../contracts/primitives.js';
import { RefusalError } from '../errors.js';
import { ENTITY_ID } from '../gateway/references.js';

/** The ids a path may hold, each with what is told where there is no such thing (R25-80). */
export const PATH_IDS = {
  intentId: 'intent_not_found',
  suspensionId: 'suspension_not_found',
  leaseId: 'lease_not_found',
  subscriptionId: 'subscription_not_found',
  portfolioId: 'portfolio_not_found',
  agentId: 'invalid_request',
  taskId: 'task_not_found',
  planId: 'plan_not_found',
  workflowId: 'workflow_not_found',
  dependencyId: 'dependency_not_found',
  coordinatorId: 'coordinator_not_found',
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

const entityIdSchema = z.string().regex(ENTITY_ID);

/** What an id in a path looks like: agents are known by their names. */
export function pathIdSchema(name: PathId): z.ZodType<string> {
  return name === 'agentId' ? nameSchema : entityIdSchema;
}

/**
 * The ids a request's path names; what is no id of ours is not found.
 *
 * @throws RefusalError with the code that belongs to the first that is none
 * @throws RefusalError `intent_not_found`, `suspension_not_found`, `lease_not_found`
 *   `portfolio_not_found` or `coordinator_not_found`
 */
export function pathIdsOf<Path extends string>(path: Path, req: Request): PathIds<Path> {
  const ids = idNamesIn(path).map((name) => {
    const { data } = pathIdSchema(name).safeParse(req.params[name]);
    if (data !== undefined) return [name, data];
    throw new RefusalError({ code: PATH_IDS[name], detail: ERRORS[PATH_IDS[name]][2] });
  });
  return Object.fromEntries(ids) as PathIds<Path>;
}
