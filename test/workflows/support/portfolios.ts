import type { WorkflowHandle } from '@temporalio/client';
import { randomUUID } from 'node:crypto';
import { LIMITS } from '../../../contracts/constants/limits.js';
import { workflowIdOf } from '../../../contracts/constants/names.js';
import {
  createCoordinatorRequestSchema,
  type Coordinator,
} from '../../../contracts/coordinator/coordinator.js';
import type { IntentEvent } from '../../../contracts/intent/event.js';
import {
  createPortfolioRequestSchema,
  type PortfolioView,
} from '../../../contracts/portfolio/portfolio.js';
import { newCoordinator } from '../../../domain/coordinator/coordinator.js';
import { toInstant } from '../../../domain/kernel/time.js';
import { newPortfolio } from '../../../domain/portfolio/portfolio.js';
import { heartbeatUpdate } from '../../../workflows/coordinator/messages.js';
import type { CoordinatorRun, coordinator } from '../../../workflows/coordinator/workflow.js';
import {
  addMemberUpdate,
  closePortfolioUpdate,
  type MembershipChanged,
  type NewMember,
  type PortfolioInput,
} from '../../../workflows/portfolio/messages.js';
import type { portfolio } from '../../../workflows/portfolio/workflow.js';
import { granted } from '../../domain/samples.js';
import { insist, type IntentHandle } from './intents.js';
import type { World } from './world.js';
import { lookUntil } from '../../support/looks.js';
import { caller, sent } from '../../support/callers.js';

export type PortfolioHandle = WorkflowHandle<typeof portfolio>;

/** Starts a portfolio; `deadline` in seconds from now. */
export async function openPortfolio(
  world: World,
  options: Partial<PortfolioInput> & { deadline?: number } = {},
): Promise<PortfolioHandle> {
  const { deadline, ...input } = options;
  const created_at = await inSeconds(world, 0);
  const governance_policy =
    deadline === undefined ? {} : { deadline: await inSeconds(world, deadline) };
  const request = createPortfolioRequestSchema.parse({ name: 'Launch', governance_policy });
  const identity = { id: randomUUID(), created_by: 'agent-1', owner: 'agent-1', created_at };
  const record = granted(newPortfolio(request, identity, LIMITS));
  return world.client.start<typeof portfolio>('portfolio', {
    workflowId: workflowIdOf('portfolio', identity.id),
    taskQueue: world.taskQueue,
    args: [{ portfolio: record, log_key: randomUUID(), ...input }],
  });
}

/** ISO-8601 instant so many seconds from now. */
export async function inSeconds(world: World, seconds: number): Promise<string> {
  return new Date((await world.now()) + seconds * 1_000).toISOString();
}

export function portfolioIdOf({ workflowId }: PortfolioHandle): string {
  return workflowId.replace('portfolio-', '');
}

/** An intent as it is handed in for a member. */
export async function newMember(world: World, handle: IntentHandle): Promise<NewMember> {
  const intent_id = handle.workflowId.replace('intent-', '');
  const snapshot = await lookUntil(
    async () => world.activities.announcementOf(intent_id),
    'the store has no such intent',
  );
  return { intent_id, owner: 'agent-1', role: 'member', priority: 0, snapshot };
}

/** Makes an intent a member, and waits until it knows its observer. */
export async function join(
  world: World,
  portfolioHandle: PortfolioHandle,
  intent: IntentHandle,
): Promise<MembershipChanged> {
  const input = { ...sent('agent-1'), ...(await newMember(world, intent)) };
  const joined = await portfolioHandle.executeUpdate(addMemberUpdate, { args: [input] });
  await lookUntil(async () => {
    const { events } = await portfolioHandle.fetchHistory();
    const heard = events?.filter(
      ({ workflowExecutionSignaledEventAttributes: signal }) =>
        signal?.signalName === 'announcement',
    );
    return (heard?.length ?? 0) > 0 || (await intent.describe()).status.name !== 'RUNNING';
  }, 'no announcement came');
  return joined;
}

/** The log of a portfolio as the store has it, once it holds an event that is looked for. */
export async function portfolioLog(
  world: World,
  handle: PortfolioHandle,
  wanted: string,
  count = 1,
): Promise<readonly IntentEvent[]> {
  const logged = () => world.activities.eventsOf(portfolioIdOf(handle));
  return lookUntil(
    async () => {
      const log = logged();
      return log.filter(({ event_type }) => event_type === wanted).length >= count && log;
    },
    () =>
      `no ${wanted} among ${logged()
        .map(({ event_type }) => event_type)
        .join()}`,
  );
}

/** The portfolio as it is read. */
export async function readPortfolio(handle: PortfolioHandle): Promise<PortfolioView> {
  const { portfolio: view } = await handle.query<{ portfolio: PortfolioView }>('portfolio');
  return view;
}

/** Completes a portfolio, once it is in no run that hands over. */
export async function complete(handle: PortfolioHandle): Promise<void> {
  const input = { ...sent('agent-1'), status: 'completed' } as const;
  await insist(() => handle.executeUpdate(closePortfolioUpdate, { args: [input] }));
  await handle.result();
}

export type CoordinatorHandle = WorkflowHandle<typeof coordinator>;

/** Takes the lease of a coordinator for an intent or a portfolio; heartbeats are due every minute. */
export async function coordinate(
  world: World,
  { workflowId }: Pick<IntentHandle, 'workflowId'>,
  fields: object = {},
  input: Partial<CoordinatorRun> = {},
): Promise<CoordinatorHandle> {
  const scope = workflowId.startsWith('portfolio-')
    ? { portfolio_id: workflowId.replace('portfolio-', '') }
    : { intent_id: workflowId.replace('intent-', '') };
  const request = createCoordinatorRequestSchema.parse({ ...scope, ...fields });
  const granted_at = toInstant(await world.now());
  const identity = { id: randomUUID(), agent_id: 'agent-1', holder: 'agent-1', granted_at };
  const lease = granted(newCoordinator(request, identity, LIMITS));
  return world.client.start<typeof coordinator>('coordinator', {
    workflowId: workflowIdOf('coordinator', lease.id),
    taskQueue: world.taskQueue,
    args: [{ coordinator: lease, ...input }],
  });
}

export function beat(handle: CoordinatorHandle, actor = 'agent-1'): Promise<Coordinator> {
  return handle.executeUpdate(heartbeatUpdate, { args: [{ by: caller(actor) }] });
}

/** The rows of a coordinator as the store got them. */
export function leasesOf(world: World, { workflowId }: CoordinatorHandle): Coordinator[] {
  return world.activities.rows.flatMap((row) =>
    row.kind === 'coordinator' && workflowId.endsWith(row.coordinator.id) ? [row.coordinator] : [],
  );
}
