import { WorkflowClient, isGrpcServiceError } from '@temporalio/client';
import type { WorkflowHandle } from '@temporalio/client';
import type { Duration } from '@temporalio/common';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import {
  DELIVERY_TASK_QUEUE,
  entityIdOf,
  spaceOfWorkflow,
  typeOfWorkflow,
  workflowIdOf,
} from '../../../contracts/constants/names.js';
import { suspendRequestSchema } from '../../../contracts/suspension-requests.js';
import type { SuspendBody } from '../../../contracts/suspension-requests.js';
import type { LiveView } from '../../../contracts/suspension-view.js';
import type { Intent } from '../../../contracts/intent.js';
import { newIntent } from '../../../domain/intent/entity.js';
import { resolveQuestion } from '../../../domain/suspension/question.js';
import { suspendUpdate } from '../../../workflows/intent/messages.js';
import type { IntentRun } from '../../../workflows/intent/carried.js';
import type { SuspendInput, SuspendReceipt } from '../../../workflows/intent/messages.js';
import type { intent } from '../../../workflows/intent/workflow.js';
import { recordQuery } from '../../../workflows/suspension/messages.js';
import type { OperatorAnswer } from '../../../workflows/suspension/messages.js';
import type { suspension } from '../../../workflows/suspension/workflow.js';
import { AnsweredQuestions } from './answered-questions.js';
import { AskingClient } from './asking-client.js';
import type { ReconcileRequest } from '../../../activities/types.js';
import { FakeActivities } from './fake-activities.js';
import { isDelivered, isQuiet } from './quiet.js';
import type { HistoryEvents } from './quiet.js';
import { testBundle } from '../../support/temporal-test-server.js';
import type { RunningWorker } from '../../support/temporal.js';
import { devPlace, localPlace, skippingPlace } from './places.js';
import type { Connect, Place, Work } from './places.js';
import { lookUntil } from '../../support/looks.js';
import { caller, sent } from '../../support/callers.js';

type IntentHandle = WorkflowHandle<typeof intent>;
type SuspensionHandle = WorkflowHandle<typeof suspension>;

/** The gRPC code of a workflow that does not exist. */
const NOT_FOUND = 5;

type WorkerOptions = Partial<Pick<Work, Exclude<keyof Work, 'bundle' | 'activities'>>>;

/** How a world, and its worker, differ from the usual ones. */
export interface WorldOptions extends WorkerOptions {
  /**
   * Where its workflows run; on a server that skips time unless given. In this process they need no server (test/temporal). A
   * development server does not tell a parent of a terminated child.
   */
  readonly on?: keyof typeof PLACES;
  /** Connects the worker to the server at an address; directly unless given. */
  readonly connect?: Connect;
}

const PLACES = {
  'this process': () => Promise.resolve(localPlace()),
  'skipping server': skippingPlace,
  'dev server': devPlace,
} as const;

/** Milliseconds that an Update waits at most until the history of its question has come to rest. */
const QUIET_WITHIN_MS = 15_000;
const BETWEEN_LOOKS_MS = 10;

/** A Temporal with our workflows, fake activities, and a worker that can go away. */
export class World {
  readonly place: Place;
  readonly client: WorkflowClient;
  private readonly answered: AnsweredQuestions;
  readonly taskQueue: string;
  activities = new FakeActivities();
  private readonly options: WorkerOptions;
  private workers: readonly RunningWorker[] = [];

  private constructor(place: Place, options: WorkerOptions) {
    this.place = place;
    this.client = place.isOrderly
      ? new WorkflowClient({ connection: place.connection })
      : new AskingClient(
          place.connection,
          (workflowId) => this.quiet(workflowId),
          (workflowId) => {
            if (typeOfWorkflow(workflowId) === 'suspension') this.answered.add(workflowId);
          },
        );
    this.answered = new AnsweredQuestions(this.client);
    this.options = options;
    this.taskQueue = options.taskQueue ?? `test-${randomUUID()}`;
  }

  static async start(wanted: WorldOptions = {}): Promise<World> {
    const { connect, on = 'skipping server', ...options } = wanted;
    const world = new World(await PLACES[on](connect), options);
    await world.startWorker();
    return world;
  }

  async now(): Promise<number> {
    return this.place.now();
  }

  /** Starts a worker of our workflows for a task queue, beside those that run. */
  async startWorkerOf(taskQueue: string): Promise<void> {
    this.activities.currentTime = () => this.now();
    const { writeJournal, prepareInput, judgeToolCalls, settleLost, saveSnapshot } =
      this.activities;
    const { announce, observeIntents, expireQuestions } = this.activities;
    const { noteApproval, noteMutation, readProposal } = this.activities;
    const { linkDependency, readTasks, readMembers, noteIntent } = this.activities;
    const worker = await this.place.startWorker({
      bundle: await testBundle(),
      activities: {
        writeJournal,
        prepareInput,
        judgeToolCalls,
        saveSnapshot,
        noteApproval,
        noteMutation,
        readProposal,
        settleLost,
        announce,
        observeIntents,
        expireQuestions,
        linkDependency,
        readTasks,
        readMembers,
        noteIntent,
        signCheckpoint: () => this.activities.signCheckpoint(),
        deliverCheckpoints: () => this.activities.deliverCheckpoints(),
        markSettled: () => this.activities.markSettled(),
        removeMarked: () => this.activities.removeMarked(),
        reconcile: (request: ReconcileRequest) => this.activities.reconcile(request),
      },
      ...this.options,
      taskQueue,
    });
    this.workers = [...this.workers, worker];
  }

  async startWorker(): Promise<void> {
    await this.startWorkerOf(this.taskQueue);
    const { notify } = this.activities;
    const deliveries = await this.place.startWorker({
      taskQueue: DELIVERY_TASK_QUEUE,
      activities: { notify },
    });
    this.workers = [...this.workers, deliveries];
  }

  async stopWorker(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.stop()));
    this.workers = [];
  }

  /**
   * Lets time pass; a time skip starts once no task is under way. Without a worker none ever is: one that came in as the
   * worker went would wait for all of the time, and time for it.
   */
  async sleep(duration: Duration): Promise<void> {
    if (this.workers.length === 0) return this.place.sleepPastTasks(duration, 0);
    await this.place.sleep(duration);
  }

  /** Lets `passing` happen while no worker is there. */
  async withoutWorker(passing: () => Promise<void>): Promise<void> {
    await this.stopWorker();
    await passing();
    await this.startWorker();
  }

  /** Lets `passing` happen while the store is away, which it is for a minute; then it takes what it has missed. */
  async downForAMinute(passing: () => Promise<void>): Promise<void> {
    this.activities.storeIsDown = true;
    await passing();
    await this.sleep('60 s');
    this.activities.storeIsDown = false;
    await this.sleep('10 s');
  }

  /**
   * Lets time pass while a task waits for the worker that is away: each such task keeps the server from
   * skipping, so its lock is lifted meanwhile. For worlds without a workflow cache: what waits for a worker
   * that caches is soon asked of another.
   */
  async sleepPastTasks(duration: Duration, waitingTasks = 1): Promise<void> {
    await this.place.sleepPastTasks(duration, waitingTasks);
  }

  async close(): Promise<void> {
    await this.stopWorker();
    await this.place.giveBack();
  }

  /** Starts an intent; active unless told otherwise. */
  async openIntent(
    options: Partial<IntentRun> & { status?: 'draft' | 'active' } = {},
  ): Promise<IntentHandle> {
    const { status = 'active', ...input } = options;
    return this.startIntent({ intent: await this.newIntent(status), ...input });
  }

  /** The first record of an intent. */
  async newIntent(status: 'draft' | 'active' = 'active'): Promise<Intent> {
    const request = { title: 'Refund', status, state: {}, constraints: {} };
    const created_at = new Date(await this.now()).toISOString();
    const identity = { id: randomUUID(), created_by: 'agent-1', owner: 'agent-1', created_at };
    return newIntent(request, identity);
  }

  async startIntent(input: IntentRun): Promise<IntentHandle> {
    return this.client.start<typeof intent>('intent', {
      workflowId: workflowIdOf('intent', input.intent.id),
      taskQueue: this.taskQueue,
      args: [{ log_key: randomUUID(), ...input }],
    });
  }

  /** Suspends the intent with a question; the defaults make a choice between approve and deny. */
  async ask(
    handle: IntentHandle,
    body: Partial<SuspendBody> = {},
    key?: string,
  ): Promise<LiveView> {
    const fields = key === undefined ? {} : { request: { key, body_hash: key } };
    const receipt = await this.suspend(handle, body, fields);
    return receipt.view ?? this.suspension(receipt.suspension_id).query(recordQuery);
  }

  /** The same; gives all that the intent says. */
  async suspend(
    handle: IntentHandle,
    body: Partial<SuspendBody> = {},
    fields: Partial<SuspendInput> = {},
  ): Promise<SuspendReceipt> {
    const request = suspendRequestSchema.parse({ question: 'Refund?', ...defaults(body), ...body });
    const resolved = resolveQuestion(request, null, { contextBytes: 65_536 });
    if (!resolved.ok) throw new Error(resolved.refusal.detail);
    const { draft, findings } = resolved.value;
    const input = { ...sent('agent-1'), draft, findings, ...fields };
    const receipt = await handle.executeUpdate(suspendUpdate, { args: [input] });
    await this.delivered(receipt.suspension_id);
    return receipt;
  }

  /**
   * Waits until the first message is out. The time-skipping server refuses to cancel an activity that has
   * just completed, and never gives the task again; a real server does not mind. It looks at the history, for
   * a Query that meets a task can leave that server unable to skip time.
   */
  async delivered(suspensionId: string, space?: string): Promise<void> {
    if (!this.delivers) return;
    await lookUntil(
      async () => isDelivered(await this.eventsOf(suspensionId, space)),
      'the first message did not go out',
    );
  }

  /** As `delivered`, before an Update whose workflow may cancel a delivery; there may be none, or one that waits for its next try. */
  private async quiet(workflowId: string): Promise<void> {
    if (typeOfWorkflow(workflowId) !== 'suspension') {
      if (this.workers.length > 0) await this.answered.areHeardBy(workflowId);
      return;
    }
    const [space, id] = [spaceOfWorkflow(workflowId), entityIdOf(workflowId, 'suspension')];
    const began = performance.now();
    while (this.delivers && performance.now() - began < QUIET_WITHIN_MS) {
      if (isQuiet(await this.eventsOf(id, space))) return;
      await pause(BETWEEN_LOOKS_MS);
    }
  }

  private get delivers(): boolean {
    return this.workers.length > 0 && this.activities.deliversAtOnce;
  }

  /** The history of a suspension; empty while it is not started. */
  private async eventsOf(suspensionId: string, space?: string): Promise<HistoryEvents> {
    try {
      return (await this.suspension(suspensionId, space).fetchHistory()).events ?? [];
    } catch (error) {
      if (isGrpcServiceError(error) && (error.code as number) === NOT_FOUND) return [];
      throw error;
    }
  }

  suspension(id: string, space?: string): SuspensionHandle {
    return this.client.getHandle<typeof suspension>(workflowIdOf('suspension', id, space));
  }

  /** An answer as the gateway would hand it in. */
  async answer(
    view: LiveView,
    value: OperatorAnswer['value'] = 'approve',
    key: string = randomUUID(),
  ): Promise<OperatorAnswer> {
    return {
      intent_id: view.intent_id,
      value,
      responded_by: 'alice',
      by: caller('alice', 'operator'),
      received_at: new Date(await this.now()).toISOString(),
      answer: { key, body_hash: `hash of ${JSON.stringify(value)}` },
    };
  }
}

function defaults({ response_type = 'choice' }: Partial<SuspendBody>): Partial<SuspendBody> {
  if (response_type !== 'choice') return {};
  return {
    choices: [
      { value: 'approve', label: 'Approve refund', description: 'Issue full refund' },
      { value: 'deny', label: 'Deny refund' },
    ],
  };
}
