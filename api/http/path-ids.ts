import type { Request } from 'express';
import type { z } from 'zod';
import { ERRORS } from '../../contracts/constants/errors.js';
import { boundedText, nameSchema } from '../../contracts/primitives.js';
import { RefusalError } from '../errors.js';
import { ENTITY_ID } from '../gateway/refusals.js';

/** The ids a path may hold, each with the refusal if there is no such thing (R25-80). */
export const PATH_IDS = {
  intentId: 'intent_not_found',
  suspensionId: 'suspension_not_found',
  approvalId: 'approval_not_found',
  runId: 'invalid_request',
  leaseId: 'lease_not_found',
  subscriptionId: 'subscription_not_found',
  portfolioId: 'portfolio_not_found',
  agentId: 'invalid_request',
  taskId: 'task_not_found',
  planId: 'plan_not_found',
  workflowId: 'workflow_not_found',
  dependencyId: 'dependency_not_found',
  coordinatorId: 'coordinator_not_found',
  requestId: 'approval_not_found',
} as const;
type PathId = keyof typeof PATH_IDS;

/** The names in a path's pattern. */
export type Names<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | Names<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

/** The ids of a route's path by name, e.g. `{intentId}` for `/intents/:intentId/status`. */
export type PathIds<Path extends string> = Readonly<Record<Names<Path> & PathId, string>>;

function isPathId(name: string): name is PathId {
  return Object.hasOwn(PATH_IDS, name);
}

/** The names of the ids in a path's pattern, in order. */
export function idNamesIn(path: string): readonly PathId[] {
  return [...path.matchAll(/:(\w+)/g)].flatMap(([, name]) =>
    name !== undefined && isPathId(name) ? [name] : [],
  );
}

const entityIdSchema = boundedText(36).regex(ENTITY_ID);

/** Whoever made these gave them names. */
const NAMED: readonly PathId[] = ['agentId', 'runId'];

/** Whether what has this id is named by whoever made it. */
export function isNamed(name: PathId): boolean {
  return NAMED.includes(name);
}

/** The form of an id in a path; agents and runs have names. */
export function pathIdSchema(name: PathId): z.ZodType<string> {
  return isNamed(name) ? nameSchema : entityIdSchema;
}

/**
 * The part of a request's path with this name. Parts that are no ids of ours are taken as they are.
 *
 * @throws RefusalError with the code of the name if the text is no such id
 */
export function pathIdOf(name: string, req: Request): string {
  const text = String(req.params[name]);
  if (!isPathId(name)) return text;
  const { data } = pathIdSchema(name).safeParse(text);
  if (data !== undefined) return data;
  throw new RefusalError({ code: PATH_IDS[name], detail: ERRORS[PATH_IDS[name]][2] });
}

/** The ids in a request's path; throws what `pathIdOf` throws for the first that is none. */
export function pathIdsOf<Path extends string>(path: Path, req: Request): PathIds<Path> {
  const ids = idNamesIn(path).map((name) => [name, pathIdOf(name, req)] as const);
  return Object.fromEntries(ids) as PathIds<Path>;
}
