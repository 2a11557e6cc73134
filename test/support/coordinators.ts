import { randomUUID } from 'node:crypto';
import type { WorkflowHandle } from '@temporalio/client';
import { LIMITS } from '../../contracts/constants/limits.js';
import { workflowIdOf } from '../../contracts/constants/names.js';
import { createCoordinatorRequestSchema, type Coordinator } from '../../contracts/coordinator.js';
import { newCoordinator } from '../../domain/coordinator.js';
import { toInstant } from '../../domain/time.js';
import { heartbeatUpdate, type CoordinatorInput } from '../../workflows/coordinator/messages.js';
import type { coordinator } from '../../workflows/coordinator/workflow.js';
import { granted } from '../domain/samples.js';
import type { IntentHandle } from './intent-steps.js';
import type { World } from './world.js';

export type CoordinatorHandle = WorkflowHandle<typeof coordinator>;

/** Takes the lease of a coordinator for an intent or a portfolio; heartbeats are due every minute. */
export async function coordinate(
  world: World,
  { workflowId }: Pick<IntentHandle, 'workflowId'>,
  fields: object = {},
  input: Partial<CoordinatorInput> = {},
): Promise<CoordinatorHandle> {
  const scope = workflowId.startsWith('portfolio-')
    ? { portfolio_id: workflowId.replace('portfolio-', '') }
    : { intent_id: workflowId.replace('intent-', '') };
  const request = createCoordinatorRequestSchema.parse({ ...scope, ...fields });
  const granted_at = toInstant(await world.now());
  const identity = { id: randomUUID(), agent_id: 'agent-1', granted_at };
  const lease = granted(newCoordinator(request, identity, LIMITS));
  return world.client.start<typeof coordinator>('coordinator', {
    workflowId: workflowIdOf('coordinator', lease.id),
    taskQueue: world.taskQueue,
    args: [{ coordinator: lease, ...input }],
  });
}

export function beat(handle: CoordinatorHandle, actor = 'agent-1'): Promise<Coordinator> {
  return handle.executeUpdate(heartbeatUpdate, { args: [{ actor }] });
}

/** The rows of a coordinator as the store got them. */
export function leasesOf(world: World, { workflowId }: CoordinatorHandle): Coordinator[] {
  return world.activities.rows.flatMap((row) =>
    row.kind === 'coordinator' && workflowId.endsWith(row.coordinator.id) ? [row.coordinator] : [],
  );
}
