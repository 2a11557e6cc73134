import type { Client } from '@temporalio/client';
import type { SignalDefinition } from '@temporalio/common';
import { SERVER } from '../contracts/constants/callers.js';
import {
  ENTITY_TYPES,
  workflowIdOf,
  type EntityType,
  type WorkflowType,
} from '../contracts/constants/names.js';
import { WORKFLOW_LOST } from '../contracts/constants/statuses.js';
import type { EntityKey } from '../contracts/kernel/primitives.js';
import type { JournalRow, JournalWatch } from '../contracts/log/journal.js';
import {
  lostCoordinator,
  lostIntent,
  lostPlan,
  lostTask,
  releasedByLoss,
} from '../domain/graph/lost.js';
import { inSpace } from '../store/in-space.js';
import { writeRows } from '../store/journal-writer.js';
import {
  abandonLost,
  creationOf,
  heldBy,
  observersOfIntent,
  openQuestionsOfIntent,
  tasksAfter,
} from '../store/queries/work/lost-entity.js';
import { findCreation, type CreatedTable } from '../store/queries/records.js';
import type { Store } from '../store/schema.js';
import { leftRowsQuery } from '../workflows/intent/messages.js';
import { withdrawSignal } from '../workflows/suspension/messages.js';
import { appendEvent, asked, isAway, signalIfOpen } from './calls.js';
import type { LostEntities, Place, PlacedEntity } from '../activities/ports/reconciliation.js';
import { LAST_REVISION } from '../contracts/constants/limits.js';
import type { Announcement } from '../contracts/graph/announcement.js';
import { isCoordinatorClosed } from '../domain/coordinator/coordinator.js';
import { isGuardedBy, unguarded } from '../domain/graph/announcement.js';
import { isClosed, type EventDraft } from '../domain/intent/entity.js';
import { isPlanOver } from '../domain/plan/plan.js';
import { openQuestions } from '../domain/plan/state.js';
import { isTaskOver } from '../domain/plan/task-state.js';
import { findCoordinator } from '../store/queries/coordinator.js';
import { findIntent, storedAnnouncement } from '../store/queries/intent.js';
import { findPlans, findTasks } from '../store/queries/plan.js';
import { stillOpen, openEntities } from '../store/queries/work/unsettled.js';
import { announcementSignal, newsSignal } from '../workflows/engine/messages.js';
import { orderSignal } from '../workflows/task/messages.js';
import { brokenOffIn, endOfWorkflow, pagesFrom, runningOf } from './listed.js';

class Loss {
  readonly db: Store;
  readonly placed: EntityKey;
  private readonly client: Pick<Client, 'workflow'>;
  private readonly watch: JournalWatch | undefined;

  constructor(
    db: Store,
    client: Pick<Client, 'workflow'>,
    placed: EntityKey,
    watch: JournalWatch | undefined,
  ) {
    this.db = db;
    this.client = client;
    this.placed = placed;
    this.watch = watch;
  }

  get id(): string {
    return this.placed.id;
  }

  get stored(): Store {
    return inSpace(this.db, this.placed.space);
  }

  abandon(type: 'intent' | 'portfolio', at: string): Promise<boolean> {
    return abandonLost(this.db, type, this.placed, at, this.watch);
  }

  async write(...rows: readonly JournalRow[]): Promise<void> {
    await writeRows(this.db, rows, this.placed.space, this.watch);
  }

  async creation(table: CreatedTable) {
    return creationOf((await findCreation(this.stored, table, this.id)) ?? { creation_hash: null });
  }

  /** Signals a workflow of the same space; one that is closed needs no message. */
  async signal<T>(
    type: WorkflowType,
    id: string,
    definition: SignalDefinition<[T]>,
    argument: T,
  ): Promise<void> {
    await signalIfOpen(this.client, this.workflowOf(type, id), definition, argument);
  }

  /** Appends to the log of an intent, once; does nothing if that has ended. */
  async note(intentId: string, { event_type, actor, payload }: EventDraft): Promise<void> {
    const note = { key: `lost:${this.id}`, intent_id: intentId, event_type, actor, payload };
    await appendEvent(this.client, this.workflowOf('intent', intentId), note);
  }

  /** Notifies intents that this coordinator holds nothing any more. */
  async release(intentIds: readonly string[]): Promise<void> {
    for (const intentId of intentIds) {
      const note = releasedByLoss(this.id, intentId);
      await appendEvent(this.client, this.workflowOf('intent', intentId), note);
    }
  }

  async withdraw(questions: readonly string[]): Promise<void> {
    const withdrawal = {
      intent_id: null,
      cancelled_by: SERVER.principal,
      settled_by: 'system',
      reason: WORKFLOW_LOST,
    } as const;
    for (const id of questions) await this.signal('suspension', id, withdrawSignal, withdrawal);
  }

  /**
   * Returns the rows that an intent had handed over to the API, which may have died before it wrote them; none if
   * nobody can ask it.
   */
  async leftRows(): Promise<readonly JournalRow[]> {
    const { workflow } = this.client;
    const handle = workflow.getHandle(this.workflowOf('intent', this.id));
    try {
      return await asked(workflow, () => handle.query(leftRowsQuery));
    } catch (error) {
      if (isAway(error)) throw error;
      return [];
    }
  }

  private workflowOf(type: WorkflowType, id: string): string {
    return workflowIdOf(type, id, this.placed.space);
  }
}

/** Access to the intents, plans, tasks, portfolios and coordinators of a store and a Temporal namespace. */
export function lostEntities(
  db: Store,
  client: () => Pick<Client, 'workflow'>,
  watch?: JournalWatch,
): LostEntities {
  return {
    endedIn: (range, place) => brokenOffIn(client(), range, place),
    openIn: (until, place) => notRunning(db, client(), until, place),
    stillOpen: async (page) => {
      const open = await Promise.all(ENTITY_TYPES.map((type) => stillOpen(db, type, page)));
      return open.flat();
    },
    async endOf({ type, id, space }) {
      const handle = client().workflow.getHandle(workflowIdOf(type, id, space));
      const end = await endOfWorkflow(handle, async () => undefined);
      return end?.kind;
    },
    end: (placed, at) => ENDS[placed.type](new Loss(db, client(), placed, watch), at),
  };
}

async function* notRunning(
  db: Store,
  client: Pick<Client, 'workflow'>,
  until: string,
  place?: Place,
): AsyncIterable<readonly PlacedEntity[]> {
  const [from, after] = JSON.parse(place?.after ?? '["intent"]') as readonly [EntityType, string?];
  for (const type of ENTITY_TYPES.slice(ENTITY_TYPES.indexOf(from))) {
    const within: Place = {
      after: type === from ? after : undefined,
      reached: (last) => place?.reached(JSON.stringify([type, last])),
    };
    const pages = pagesFrom((part) => openEntities(db, type, { until, ...part }), within);
    for await (const page of pages) {
      const running = new Set(await runningOf(client, type, page));
      yield page.filter((one) => !running.has(one)).map(({ id, space }) => ({ type, id, space }));
    }
  }
}

/**
 * How each kind ends. The message to those who wait precedes the write to the store: an interrupted end begins anew
 * the next time.
 */
const ENDS: Readonly<Record<EntityType, (loss: Loss, at: string) => Promise<boolean>>> = {
  intent: endIntent,
  plan: endPlan,
  task: endTask,
  portfolio: (loss, at) => loss.abandon('portfolio', at),
  coordinator: endCoordinator,
};

/** Ends an intent. Observers that come meanwhile get the message with all others, when the store shows the end. */
async function endIntent(loss: Loss, at: string): Promise<boolean> {
  await loss.write(...(await loss.leftRows()));
  const intent = await findIntent(loss.stored, loss.id);
  const known = intent && (await storedAnnouncement(loss.stored, loss.id));
  if (intent === undefined || known === undefined) return false;
  if (isClosed(intent.status)) {
    if (intent.abandonment_reason !== WORKFLOW_LOST) return false;
  } else {
    const { version, status, abandonment_reason } = lostIntent(intent, at).value;
    const last_sequence = known.last_sequence + 1;
    const ended = { ...known, version, status, abandonment_reason, last_sequence, held: false };
    await announce(loss, ended as Announcement);
    await loss.withdraw(await openQuestionsOfIntent(loss.db, loss.placed));
    await loss.abandon('intent', at);
  }
  const stored = await storedAnnouncement(loss.stored, loss.id);
  if (stored) await announce(loss, stored);
  return true;
}

async function announce(loss: Loss, announcement: Announcement): Promise<void> {
  for (const { type, id } of await observersOfIntent(loss.db, loss.placed)) {
    const observer = workflowIdOf(type, id);
    const sent = isGuardedBy(observer) ? announcement : unguarded(announcement);
    await loss.signal(type, id, announcementSignal, sent);
  }
}

async function endPlan(loss: Loss, at: string): Promise<boolean> {
  const [plan] = await findPlans(loss.stored, [loss.id]);
  if (plan === undefined || isPlanOver(plan.state)) return false;
  const { value, event } = lostPlan(plan, at);
  const order = { kind: 'cancel', reason: WORKFLOW_LOST } as const;
  for (const { task_id, status } of plan.members) {
    if (!isTaskOver(status)) await loss.signal('task', task_id, orderSignal, order);
  }
  await loss.withdraw(openQuestions(plan));
  await loss.note(plan.intent_id, event);
  const row = { kind: 'plan', plan: value, revision: LAST_REVISION } as const;
  await loss.write({ ...row, ...(await loss.creation('plans')) });
  return true;
}

async function endTask(loss: Loss, at: string): Promise<boolean> {
  const [found] = await findTasks(loss.stored, [loss.id]);
  if (found === undefined || isTaskOver(found.task.status)) return false;
  const { value, event, news } = lostTask(found.task, at);
  const { plan_id, intent_id } = value;
  if (plan_id !== null) await loss.signal('plan', plan_id, newsSignal, news);
  for (const id of await tasksAfter(loss.db, loss.placed)) {
    await loss.signal('task', id, newsSignal, news);
  }
  await loss.note(intent_id, event);
  const row = { kind: 'task', task: value, revision: LAST_REVISION } as const;
  await loss.write({ ...row, ...(await loss.creation('tasks')) });
  return true;
}

async function endCoordinator(loss: Loss): Promise<boolean> {
  const coordinator = await findCoordinator(loss.stored, loss.id);
  if (coordinator === undefined || isCoordinatorClosed(coordinator.status)) return false;
  const { value, event } = lostCoordinator(coordinator);
  await loss.release(await heldBy(loss.db, loss.placed));
  if (value.intent_id !== null) await loss.note(value.intent_id, event);
  const row = { kind: 'coordinator', coordinator: value } as const;
  await loss.write({ ...row, ...(await loss.creation('coordinators')) });
  return true;
}
