import type { Client } from '@temporalio/client';
import type { SignalDefinition } from '@temporalio/common';
import { SERVER } from '../contracts/constants/callers.js';
import { workflowIdOf } from '../contracts/constants/names.js';
import type { WorkflowType } from '../contracts/constants/names.js';
import { WORKFLOW_LOST } from '../contracts/constants/statuses.js';
import type { EntityKey } from '../contracts/kernel/entity-key.js';
import type { JournalRow, JournalWatch } from '../contracts/log/journal.js';
import { releasedByLoss } from '../domain/graph/lost.js';
import type { EventDraft } from '../domain/intent/entity.js';
import { inSpace } from '../store/in-space.js';
import { writeRows } from '../store/journal-writer.js';
import { abandonLost, creationOf } from '../store/queries/lost-entity.js';
import { findCreation } from '../store/queries/records.js';
import type { CreatedTable } from '../store/queries/records.js';
import type { Store } from '../store/schema.js';
import { leftRowsQuery } from '../workflows/intent/messages.js';
import { withdrawSignal } from '../workflows/suspension/messages.js';
import { appendEvent, asked, isAway, signalIfOpen } from './calls.js';

/** One thing that lost its workflow, and what can be done about it. */
export class Loss {
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

  /** The store as the space of the thing sees it. */
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

  /** Appends to the log of an intent, once; nothing if that has ended. */
  async note(intentId: string, { event_type, actor, payload }: EventDraft): Promise<void> {
    const note = { key: `lost:${this.id}`, intent_id: intentId, event_type, actor, payload };
    await appendEvent(this.client, this.workflowOf('intent', intentId), note);
  }

  /** Says to intents that this coordinator holds nothing any more. */
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

  /** The rows that an intent had left to the API, which may have died before it wrote them; none if nobody can ask it. */
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
