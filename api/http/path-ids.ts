import type { Request } from 'express';
import type { z } from 'zod';
import { boundedText, nameSchema } from '../../contracts/kernel/primitives.js';
import { standardRefusal } from '../errors.js';
import { ENTITY_ID } from '../../contracts/constants/names.js';

/** The ids that a path may hold, each with the refusal of an id that does not exist (R25-80). */
export const PATH_IDS = {
  intentId: 'intent_not_found',
  suspensionId: 'suspension_not_found',
  viewId: 'view_not_found',
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

export type Names<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | Names<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

/** The ids of a route's path by name, such as `{intentId}` for `/intents/:intentId/status`. */
export type PathIds<Path extends string> = Readonly<Record<Names<Path> & PathId, string>>;

function isPathId(name: string): name is PathId {
  return Object.hasOwn(PATH_IDS, name);
}

export function idNamesIn(path: string): readonly PathId[] {
  return [...path.matchAll(/:(\w+)/g)].flatMap(([, name]) =>
    name !== undefined && isPathId(name) ? [name] : [],
  );
}

const entityIdSchema = boundedText(36).regex(ENTITY_ID);

const NAMED: readonly PathId[] = ['agentId', 'runId'];

export function isNamed(name: PathId): boolean {
  return NAMED.includes(name);
}

export function pathIdSchema(name: PathId): z.ZodType<string> {
  return isNamed(name) ? nameSchema : entityIdSchema;
}

/**
 * Returns the part of a request's path with this name. Only parts that are ids are checked.
 *
 * @throws RefusalError with the code of the name if the text is no such id
 */
export function pathIdOf(name: string, req: Request): string {
  const text = String(req.params[name]);
  if (!isPathId(name)) return text;
  const { data } = pathIdSchema(name).safeParse(text);
  if (data !== undefined) return data;
  throw standardRefusal(PATH_IDS[name]);
}

/** Returns the ids in a request's path. Throws what `pathIdOf` throws for the first invalid one. */
export function pathIdsOf<Path extends string>(path: Path, req: Request): PathIds<Path> {
  const ids = idNamesIn(path).map((name) => [name, pathIdOf(name, req)] as const);
  return Object.fromEntries(ids) as PathIds<Path>;
}
