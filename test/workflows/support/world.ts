import { isGrpcServiceError, type WorkflowClient, type WorkflowHandle } from '@temporalio/client';
import type { Duration } from '@temporalio/common';
import { randomUUID } from 'node:crypto';
import { after, afterEach, before, beforeEach } from 'mocha';
import { DELIVERY_TASK_QUEUE, workflowIdOf } from '../../../contracts/constants/names.js';
import { suspendRequestSchema, type SuspendBody } from '../../../contracts/suspension/requests.js';
import type { LiveView } from '../../../contracts/suspension/view.js';
import type { Intent } from '../../../contracts/intent/intent.js';
import { newIntent } from '../../../domain/intent/entity.js';
import { resolveQuestion } from '../../../domain/suspension/asking/question.js';
import {
  suspendUpdate,
  type SuspendInput,
  type SuspendReceipt,
} from '../../../workflows/intent/messages.js';
import type { IntentRun } from '../../../workflows/intent/entity.js';
import type { intent } from '../../../workflows/intent/workflow.js';
import {
  recordQuery,
  respondUpdate,
  type OperatorAnswer,
  type RespondReceipt,
} from '../../../workflows/suspension/messages.js';
import type { suspension } from '../../../workflows/suspension/workflow.js';
import type { ReconcileRequest } from '../../../activities/types.js';
import { FakeActivities } from './fake-activities.js';
import { ourCode } from '../../support/temporal-test-server.js';
import type { RunningWorker } from '../../support/temporal.js';
import { LocalTemporal } from '../../temporal/local-temporal.js';
import { localPlace, type Place, type Work, type WorkerSettings } from './places.js';
import { devPlace, type Connect } from './server-places.js';
import { skippingPlace } from './skipping-place.js';
import { lookUntil } from '../../support/looks.js';
import { caller, sent } from '../../support/callers.js';
import { within } from '../../support/within.js';

type IntentHandle = WorkflowHandle<typeof intent>;
type SuspensionHandle = WorkflowHandle<typeof suspension>;

/** The gRPC code of a workflow that does not exist. */
const NOT_FOUND = 5;

/** How a world differs from the usual ones. */
interface Differences extends Pick<Work, 'sinks'> {
  readonly taskQueue?: string;
  /** Why what came of it does not replay; unless given, it has to. */
  readonly notReplayed?: string;
}

/** A world whose workflows need no server (test/temporal). */
interface InThisProcess extends Differences, Partial<Record<keyof OnServer, never>> {
  /** With empty tasks, one that refuses its Updates stays in the history. */
  readonly on?: 'this process' | 'this process, with empty tasks';
}

/** What a world on a server has besides. */
interface OnServer extends WorkerSettings {
  /** Connects the worker to the server at an address; directly unless given. */
  readonly connect?: Connect;
}

/** How a world, and its worker, differ from the usual ones; it is in this process unless told otherwise. */
export type WorldOptions =
  InThisProcess | (Differences & OnServer & { readonly on: 'dev server' | 'skipping server' });

const PLACES = {
  'this process': () => Promise.resolve(localPlace()),
  'this process, with empty tasks': () => Promise.resolve(localPlace(withEmptyTasks())),
  'dev server': devPlace,
  'skipping server': skippingPlace,
} as const;

function withEmptyTasks(): LocalTemporal {
  const server = new LocalTemporal();
  server.keepsRefusals = true;
  return server;
}

/** A Temporal with our workflows, fake activities, and a worker that can go away. */
export class World {
  readonly place: Place;
  readonly client: WorkflowClient;
  readonly taskQueue: string;
  activities = new FakeActivities();
  private readonly options: Partial<Work>;
  private readonly notReplayed: string | undefined;
  private workers: readonly RunningWorker[] = [];

  private constructor(place: Place, { notReplayed, ...options }: Differences) {
    this.place = place;
    this.client = place.client;
    this.notReplayed = notReplayed;
    this.options = options;
    this.taskQueue = options.taskQueue ?? `test-${randomUUID()}`;
  }

  static async start(wanted: WorldOptions = {}): Promise<World> {
    const { connect, on = 'this process', ...options } = wanted;
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
    const { writeJournal, prepareInput, judgeToolCalls, settleLost, goesOn, saveSnapshot } =
      this.activities;
    const { announce, observeIntents, expireQuestions } = this.activities;
    const { noteApproval, noteMutation, readProposal } = this.activities;
    const { prepareApproval, pickUpCall } = this.activities;
    const { linkDependency, readTasks, readMembers, noteIntent } = this.activities;
    const worker = await this.place.startWorker({
      code: await ourCode(),
      activities: {
        writeJournal,
        prepareInput,
        judgeToolCalls,
        saveSnapshot,
        noteApproval,
        noteMutation,
        readProposal,
        settleLost,
        goesOn,
        prepareApproval,
        pickUpCall,
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
    await within('stopping the workers', Promise.all(this.workers.map((worker) => worker.stop())));
    this.workers = [];
  }

  /** Lets time pass. */
  async sleep(duration: Duration): Promise<void> {
    await this.place.sleep(duration);
  }

  /** Lets `passing` happen while no child that is ordered starts. */
  async withoutStarts<T>(passing: () => Promise<T>): Promise<T> {
    const release = this.place.holdStarts?.();
    if (!release) throw new Error('starts of children are held back in this process only');
    const passed = await passing();
    release();
    return passed;
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
    await this.sleep('90 s');
  }

  async close(): Promise<void> {
    await this.stopWorker();
    await this.place.giveBack(this.notReplayed);
  }

  /** Starts an intent; active unless told otherwise. */
  async openIntent(
    options: Partial<IntentRun> & { status?: 'draft' | 'active'; depends_on?: string[] } = {},
  ): Promise<IntentHandle> {
    const { status, depends_on, ...input } = options;
    return this.startIntent({ intent: await this.newIntent(status, depends_on), ...input });
  }

  /** The first record of an intent. */
  async newIntent(
    status: 'draft' | 'active' = 'active',
    depends_on: readonly string[] = [],
  ): Promise<Intent> {
    const request = { title: 'Refund', status, state: {}, constraints: {}, depends_on };
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
   * Waits until people are asked, where deliveries do not fail or hang: until their first message is out. Nobody is, where the time of
   * a question is over before that.
   */
  async delivered(suspensionId: string, space?: string): Promise<void> {
    if (this.workers.length === 0 || !this.activities.deliversAtOnce) return;
    await lookUntil(
      async () => isDelivered(await this.eventsOf(suspensionId, space)),
      'the first message did not go out',
    );
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

  /** Answers a question by Update; rejects where it refuses. */
  async respond(view: LiveView, value?: OperatorAnswer['value']): Promise<RespondReceipt> {
    const args: [OperatorAnswer] = [await this.answer(view, value)];
    return this.suspension(view.id).executeUpdate(respondUpdate, { args });
  }

  /** An answer as the API would hand it in. */
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

/** A world, or what is started with one and closes it. */
interface Startable<T> {
  start(options?: WorldOptions): Promise<T>;
}

type Hook = (run: () => Promise<void>) => void;

function startedBy(begin: Hook, end: Hook) {
  return <T extends { close(): Promise<void> }>(
    kind: Startable<T>,
    started: (one: T) => void,
    options?: WorldOptions,
  ): void => {
    let one: T | undefined;
    begin(async () => {
      one = await kind.start(options);
      started(one);
    });
    end(async () => one?.close());
  };
}

/** Gives the suite around the call a world of its own, from before its first test until after its last. */
export const perSuite = startedBy(before, after);

/** Gives each test of the suite around the call a world of its own. */
export const perTest = startedBy(beforeEach, afterEach);

function defaults({ response_type = 'choice' }: Partial<SuspendBody>): Partial<SuspendBody> {
  if (response_type !== 'choice') return {};
  return {
    choices: [
      { value: 'approve', label: 'Approve refund', description: 'Issue full refund' },
      { value: 'deny', label: 'Deny refund' },
    ],
  };
}

type HistoryEvents = NonNullable<Awaited<ReturnType<WorkflowHandle['fetchHistory']>>['events']>;

/** Whether there was a message, all are out, and the suspension has heard of it. */
function isDelivered(events: HistoryEvents): boolean {
  const ended = new Set(
    events.map((event) => {
      const end =
        event.activityTaskCompletedEventAttributes ??
        event.activityTaskCancelRequestedEventAttributes;
      return String(end?.scheduledEventId);
    }),
  );
  const messages = events.filter(
    (event) => event.activityTaskScheduledEventAttributes?.activityType?.name === 'notify',
  );
  const last = events.at(-1);
  const isBusy =
    last?.workflowTaskScheduledEventAttributes ?? last?.workflowTaskStartedEventAttributes;
  if (last?.workflowExecutionCompletedEventAttributes) return true;
  return (
    messages.length > 0 && !isBusy && messages.every(({ eventId }) => ended.has(String(eventId)))
  );
}
