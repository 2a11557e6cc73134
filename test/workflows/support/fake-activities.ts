import type { EntityKey } from '../../../contracts/kernel/primitives.js';
import { Context, getClient, heartbeat } from '@temporalio/activity';
import {
  announce,
  expireQuestions,
  noteIntent,
  observeIntents,
  readMembers,
} from '../../../activities/announce.js';
import {
  judgeToolCalls,
  prepareApproval,
  prepareInput,
  saveSnapshot,
} from '../../../activities/agent-calls.js';
import { noteApproval, noteMutation, readProposal } from '../../../activities/approval-log.js';
import { pickUpCall } from '../../../activities/pick-up.js';
import { settleLost } from '../../../activities/settle-ended.js';
import { ownSpace } from '../../../activities/own-call.js';
import type {
  Activities,
  EventDelivery,
  Reconciled,
  ReconcileRequest,
} from '../../../activities/types.js';
import type { DependencyEdge } from '../../../contracts/graph/announcement.js';
import type { ApprovalNote, StoredProposal } from '../../../contracts/approval/log.js';
import { serverConfigSchema } from '../../../contracts/server/config.js';
import { LAST_REVISION } from '../../../contracts/constants/limits.js';
import type { IntentNote } from '../../../contracts/intent/intent.js';
import type { JournalRow } from '../../../contracts/log/journal.js';
import type {
  DeliveryReceipt,
  NotificationRequest,
  RowBeside,
} from '../../../contracts/channel/notification.js';
import type { Ruling } from '../../../contracts/kernel/problem.js';
import type { StoredSnapshot } from '../../../contracts/approval/snapshot.js';
import type { Settlement } from '../../../contracts/suspension/suspension.js';
import type { Checkpoint } from '../../../contracts/log/checkpoint.js';
import type { TaskNews } from '../../../contracts/plan/task.js';
import { refuseCycle } from '../../../domain/graph/dependencies.js';
import { cycleOf } from '../../../domain/kernel/graph.js';
import { ok } from '../../../domain/kernel/ruling.js';
import { storedNews } from '../../../domain/plan/task-state.js';
import { isSettled } from '../../../domain/suspension/record/state.js';
import { openingBeside } from '../../../domain/suspension/record/opening-row.js';
import { workflowMessages } from '../../../workers/activity-adapters.js';
import { endOf, lookUp } from '../../../workers/reconciliation.js';
import { StoredRows, membersIn } from './stored-rows.js';

/** A receipt; its time is the server's. */
type Delivered = Omit<DeliveryReceipt, 'delivered_at'>;

/** Activities that remember what they were asked, and fail or hang on demand. */
export class FakeActivities extends StoredRows implements Activities {
  readonly notified: NotificationRequest[] = [];
  readonly subscribed: EventDelivery[] = [];
  storeIsDown = false;
  /** What `signCheckpoint` gives; throws in its place. */
  checkpoint: () => Promise<Checkpoint> = () => Promise.reject(new Error('there is no key'));
  /** Called for each look for what nobody wrote. */
  reconciling: Activities['reconcile'] = () => Promise.reject(new Error('nothing is looked at'));
  /** Called for each try to deliver checkpoints. */
  deliverCheckpoint: () => Promise<void> = () => Promise.resolve();
  /** What retention does, step by step; the checkpoint is signed in between. */
  retention: { readonly mark: Activities['markSettled']; readonly remove: () => Promise<void> } = {
    mark: () => Promise.resolve({ signs: false }),
    remove: () => Promise.resolve(),
  };
  /** The time (ms) of the server's clock. */
  currentTime: () => Promise<number> = async () => Date.now();
  /** A turn of a subscription; waits for events that never come. */
  deliverTo: (request: EventDelivery) => ReturnType<Activities['deliverEvents']> = async () => {
    const beats = setInterval(heartbeat, 50);
    await Context.current().cancelled.finally(() => clearInterval(beats));
    throw new Error('unreachable');
  };
  /** Throws or waits in place of a delivery. */
  deliver: (request: NotificationRequest) => Promise<Delivered> = (request) =>
    Promise.resolve({ channel: request.channel_hint ?? 'console' });
  private readonly atOnce = this.deliver;
  private storeFree: Promise<void> = Promise.resolve();

  /** Whether nobody has replaced `deliver`. */
  get deliversAtOnce(): boolean {
    return this.deliver === this.atOnce;
  }

  private readonly heldUp = new Map<JournalRow['kind'], Promise<void>>();
  /** Runs in the place of the next write, once. */
  dyingWrite: Activities['writeJournal'] | undefined;

  writeJournal = async (rows: readonly JournalRow[]): Promise<void> => {
    if (this.storeIsDown) throw new Error('the store is down');
    const { dyingWrite } = this;
    this.dyingWrite = undefined;
    if (dyingWrite) return dyingWrite(rows);
    for (const { kind } of rows) await this.heldUp.get(kind);
    this.rows.push(...rows);
    await this.storeFree;
  };

  /** Keeps writes from ending until the function that it returns is called. */
  holdStore(): () => void {
    let release = (): void => undefined;
    this.storeFree = new Promise((resolve) => {
      release = resolve;
    });
    return release;
  }

  /** Keeps rows of a kind, and those of their batch, from the store until the function that it returns is called. */
  holdRows(kind: JournalRow['kind']): () => void {
    let release = (): void => undefined;
    this.heldUp.set(
      kind,
      new Promise((resolve) => {
        release = resolve;
      }),
    );
    return release;
  }

  /** What each delivery was given to write, in the order of `notified`. */
  readonly given: (RowBeside | undefined)[] = [];
  /** Whether deliveries know that they may have to write a row. */
  knowsRows = true;
  notify: Activities['notify'] = async (request, beside) => {
    this.notified.push(request);
    this.given.push(beside);
    const isWritten = this.knowsRows && beside !== undefined && !this.storeIsDown;
    if (isWritten) this.writeBeside(request, beside);
    const delivered = await this.deliver(request);
    const delivered_at = new Date(await this.currentTime()).toISOString();
    return { delivered_at, ...delivered, ...(isWritten && { row_written: true }) };
  };

  private writeBeside(request: NotificationRequest, beside: RowBeside): void {
    if ('progress' in beside) this.rows.push(beside.progress);
    else if (!this.suspensionOf(request.suspension_id))
      this.rows.push(openingBeside(request, beside.opening));
  }

  wakeSubscriptions: Activities['wakeSubscriptions'] = async ({ after }) => ({
    after: after ?? 0,
    idle: true,
  });

  deliverEvents = (request: EventDelivery): ReturnType<Activities['deliverEvents']> => {
    this.subscribed.push(request);
    return this.deliverTo(request);
  };

  /** Waits until the activity is cancelled, like a channel that never answers. */
  hang = async (): Promise<Delivered> => {
    const beats = setInterval(heartbeat, 50);
    await Context.current().cancelled.finally(() => clearInterval(beats));
    throw new Error('unreachable');
  };

  private readonly config = serverConfigSchema.parse({});
  /** The rules by which tool calls are judged; a test may set its own. */
  approvals = this.config.approvals;
  judgeToolCalls: Activities['judgeToolCalls'] = (request) =>
    judgeToolCalls({ ...this.config, approvals: this.approvals }, request);
  /** In the order in which they came. */
  readonly snapshots: StoredSnapshot[] = [];
  saveSnapshot: Activities['saveSnapshot'] = async (given, space = ownSpace()) => {
    const at = new Date(await this.currentTime());
    const store = {
      saveSnapshot: async (snapshot: StoredSnapshot, saved_at: string) => {
        this.snapshots.push(snapshot);
        return saved_at;
      },
    };
    return saveSnapshot({ store, now: () => at, config: this.config }, given, space);
  };
  prepareInput: Activities['prepareInput'] = async (request, space) => {
    const at = new Date(await this.currentTime());
    const store = { answeringByKey: async () => undefined };
    return prepareInput({ config: this.config, now: () => at, store }, request, space);
  };

  prepareApproval: Activities['prepareApproval'] = async (request, space) => {
    const at = new Date(await this.currentTime());
    const store = { answeringByKey: async () => undefined };
    const config = { ...this.config, approvals: this.approvals };
    return prepareApproval({ config, now: () => at, store }, request, space);
  };

  private readonly workflows = workflowMessages();
  pickUpCall: Activities['pickUpCall'] = async (request) => {
    const at = new Date(await this.currentTime());
    const findApproval = async (id: string) => this.approvalRows(id).at(-1)?.approval;
    const dependencies = { store: { findApproval }, workflows: this.workflows, now: () => at };
    return pickUpCall(dependencies, request);
  };
  /** The events of runs without an intent, in the order in which they came, each once. */
  readonly noted: ApprovalNote[] = [];
  /** How many events of approvals were to be logged, repeated ones too. */
  notes = 0;
  noteApproval: Activities['noteApproval'] = async (note) => {
    if (this.storeIsDown) throw new Error('the store is down');
    this.notes += 1;
    const appendToRun = async (one: ApprovalNote) => {
      const isNoted = this.noted.some((n) => n.run_id === one.run_id && n.key === one.key);
      if (!isNoted) this.noted.push(one);
    };
    await noteApproval({ store: { appendToRun }, workflows: this.workflows }, note);
  };
  noteMutation: Activities['noteMutation'] = async (found, space = ownSpace()) => {
    const store = { appendToRun: async (note: ApprovalNote) => void this.noted.push(note) };
    await noteMutation({ store, now: () => new Date(0) }, found, space);
  };

  /** Changes what the store has of a proposal before it is read. */
  tamper: (stored: StoredProposal) => StoredProposal = (stored) => stored;
  /** How often a proposal was to be read. */
  proposalReads = 0;
  readProposal: Activities['readProposal'] = async (id, decidedIn) => {
    this.proposalReads += 1;
    if (this.storeIsDown) throw new Error('the store is down');
    const storedProposal = async (_: string, questions: readonly string[]) => {
      const stored = this.approvalRows(id).at(-1);
      if (!stored) return undefined;
      const asked = questions.flatMap((suspension_id) => {
        const { record } = this.suspensionOf(suspension_id) ?? {};
        const is_open = record !== undefined && !isSettled(record);
        return record?.approval ? [{ suspension_id, is_open, ...record.approval }] : [];
      });
      return this.tamper({ proposed: stored.proposed, proposal: stored.approval.proposal, asked });
    };
    return readProposal({ storedProposal }, id, decidedIn);
  };

  goesOn: Activities['goesOn'] = (workflowId, runId) => this.workflows.goesOn(workflowId, runId);
  settleLost: Activities['settleLost'] = async (suspensionId, space = ownSpace()) => {
    const at = new Date(await this.currentTime());
    const settleSuspension = async (suspension_id: string, settlement: Settlement) => {
      const kind = 'suspension_settled';
      this.rows.push({ kind, suspension_id, revision: LAST_REVISION, settlement });
    };
    const findSuspension = async (id: string) => {
      if (this.storeIsDown) throw new Error('the store is down');
      return this.suspensionOf(id);
    };
    const store = { findSuspension, settleSuspension };
    const reconciliation = {
      endOf: (question: EntityKey) => endOf(getClient(), question),
      lookUp: (question: EntityKey) => lookUp(getClient(), question),
      writeRows: async (rows: readonly JournalRow[]) => void this.rows.push(...rows),
    };
    return settleLost({ store, reconciliation, now: () => at }, suspensionId, space);
  };
  /** Runs before an event is appended for another workflow. */
  beforeNote: () => Promise<void> = () => Promise.resolve();
  noteIntent = async (note: IntentNote): Promise<string | null> => {
    await this.beforeNote();
    return noteIntent(this.workflows, note);
  };
  readMembers: Activities['readMembers'] = (request) =>
    readMembers({ membershipChanges: async (asked) => membersIn(this.rows, asked) }, request);
  expireQuestions: Activities['expireQuestions'] = (batch) =>
    expireQuestions(this.workflows, batch);
  announce: Activities['announce'] = (batch) => announce(this.workflows, batch);
  observeIntents: Activities['observeIntents'] = (request) =>
    observeIntents(
      this.workflows,
      { storedAnnouncement: async (id) => this.announcementOf(id) },
      request,
    );

  /** Runs before an edge is looked at; throws or waits in place of the store. */
  beforeLink: () => Promise<void> = () => Promise.resolve();
  linkDependency = async (edge: DependencyEdge): Promise<Ruling<true>> => {
    await this.beforeLink();
    const path = cycleOf(this.edges(), edge);
    if (path !== undefined) return refuseCycle(path);
    this.linked.push({ kind: 'dependency', ...edge, present: true });
    return ok(true);
  };

  readTasks = async (taskIds: readonly string[]): Promise<readonly TaskNews[]> => {
    if (this.storeIsDown) throw new Error('the store is down');
    return taskIds.flatMap((id) => {
      const row = this.taskRow(id);
      return row ? [storedNews(row.task, row.revision)] : [];
    });
  };

  async signCheckpoint(): Promise<Checkpoint> {
    return this.checkpoint();
  }

  async deliverCheckpoints(): Promise<void> {
    await this.deliverCheckpoint();
  }

  tellOutcomes = (): Promise<void> => Promise.resolve();
  sendPushes = (): Promise<void> => Promise.resolve();

  markSettled(): ReturnType<Activities['markSettled']> {
    return this.retention.mark();
  }

  removeMarked(): Promise<void> {
    return this.retention.remove();
  }

  reconcile(request: ReconcileRequest): Promise<Reconciled> {
    return this.reconciling(request);
  }

  attemptsOf(suspensionId: string): number[] {
    return this.notified
      .filter(({ suspension_id }) => suspension_id === suspensionId)
      .map(({ attempt }) => attempt);
  }
}
