import { randomUUID } from 'node:crypto';
import { workflowIdOf } from '../../../contracts/constants/names.js';
import type {
  SettledRecord,
  SuspensionDraft,
  SuspensionRecord,
} from '../../../contracts/suspension/suspension.js';
import { beginSuspension } from '../../../domain/intent/suspension.js';
import { newIntent } from '../../../domain/intent/entity.js';
import { openRecord } from '../../../domain/suspension/asking/schedule.js';
import type { IntentInput } from '../../../workflows/intent/messages.js';
import type { intent } from '../../../workflows/intent/workflow.js';
import {
  suspensionReportSignal,
  type ReportBody,
  type SuspensionResult,
} from '../../../workflows/suspension/messages.js';
import type { suspension } from '../../../workflows/suspension/workflow.js';
import { NOTHING_CARRIED, type IntentHandle } from './intents.js';
import { ourCode } from '../../support/temporal-test-server.js';
import type { World } from './world.js';
import { BY_ITSELF } from './suspensions.js';
import { lookUntil } from '../../support/looks.js';

const DRAFT: SuspensionDraft = {
  question: 'Refund?',
  response_type: 'choice',
  choices: [
    { value: 'approve', label: 'Approve refund' },
    { value: 'deny', label: 'Deny refund' },
  ],
  fallback_policy: 'fail',
};

/**
 * A suspended intent whose suspension stands still, for no worker polls its task queue: the test
 * decides when it hears what was sent to it, or reports in its place.
 */
export class IdleSuspension {
  readonly handle: IntentHandle;
  readonly record: SuspensionRecord;
  private readonly world: World;
  private readonly taskQueue: string;

  private constructor(
    world: World,
    handle: IntentHandle,
    record: SuspensionRecord,
    taskQueue: string,
  ) {
    this.world = world;
    this.handle = handle;
    this.record = record;
    this.taskQueue = taskQueue;
  }

  static async open(world: World, options: Partial<IntentInput> = {}): Promise<IdleSuspension> {
    const now = new Date(await world.now()).toISOString();
    const request = { title: 'Refund', status: 'active', state: {}, constraints: {} } as const;
    const identity = { id: randomUUID(), created_by: 'agent-1', owner: 'agent-1', created_at: now };
    const { record, schedule } = openRecord(DRAFT, randomUUID(), now);
    const asked = beginSuspension(newIntent(request, identity), record, schedule, 'agent-1');
    const active = { suspension_id: record.id, report_sequence: 0 };
    const carried = { ...NOTHING_CARRIED, active, suspended_since: now };
    const subject_workflow_id = workflowIdOf('intent', identity.id);
    const taskQueue = `still-${record.id}`;
    await world.client.start<typeof suspension>('suspension', {
      workflowId: workflowIdOf('suspension', record.id),
      taskQueue,
      args: [
        {
          intent_id: identity.id,
          subject_workflow_id,
          writers: BY_ITSELF,
          asked_by: 'agent-1',
          record,
          schedule,
        },
      ],
    });
    const handle = await world.client.start<typeof intent>('intent', {
      workflowId: subject_workflow_id,
      taskQueue: world.taskQueue,
      args: [{ intent: asked.intent, carried, ...options }],
    });
    return new IdleSuspension(world, handle, record, taskQueue);
  }

  get suspension(): ReturnType<World['suspension']> {
    return this.world.suspension(this.record.id);
  }

  /** Tells the intent something in the name of its suspension. */
  async report(report_sequence: number, body: ReportBody): Promise<void> {
    const report = { suspension_id: this.record.id, report_sequence, ...body };
    await this.handle.signal(suspensionReportSignal, report);
  }

  /** The report of an answer, as the suspension would give it. */
  async answered(value = 'approve'): Promise<ReportBody> {
    const now = new Date(await this.world.now()).toISOString();
    const record: SettledRecord = {
      ...this.record,
      resolution: 'responded',
      settled_by: 'operator',
      settled_at: now,
      response: value,
      responded_at: now,
      responded_by: 'alice',
      submitted_by: 'alice',
    };
    return { kind: 'settled', record, attempt: 1 };
  }

  /** The report of a withdrawal on behalf of the intent. */
  async withdrawn(): Promise<ReportBody> {
    const record: SettledRecord = {
      ...this.record,
      resolution: 'cancelled',
      settled_by: 'intent',
      settled_at: new Date(await this.world.now()).toISOString(),
      submitted_by: 'bob',
      reason: 'intent_abandoned',
    };
    return { kind: 'settled', record, attempt: 1 };
  }

  /** Resolves once a Signal of this name has been put into the suspension's history. */
  async hears(signalName: string): Promise<void> {
    await lookUntil(async () => {
      const { events } = await this.suspension.fetchHistory();
      const names = events?.map((event) => event.workflowExecutionSignaledEventAttributes);
      return names?.some((signal) => signal?.signalName === signalName);
    }, `no ${signalName} arrived`);
  }

  /** Lets the suspension move from now on, until it ends. */
  async comeAlive(): Promise<SuspensionResult> {
    return this.while(() => this.suspension.result());
  }

  /** A worker is there while something happens. */
  private async while<T>(happens: () => Promise<T>): Promise<T> {
    const { writeJournal, notify } = this.world.activities;
    const worker = await this.world.place.startWorker({
      taskQueue: this.taskQueue,
      code: await ourCode(),
      activities: { writeJournal, notify },
    });
    const result = await happens();
    await worker.stop();
    return result;
  }

  /** Ends the suspension where it stands. */
  async discard(): Promise<void> {
    await this.suspension.terminate();
  }
}
