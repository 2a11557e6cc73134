import { Context, getClient, heartbeat } from '@temporalio/activity';
import {
  announce,
  expireQuestions,
  observeIntents,
  readMembers,
} from '../../../activities/announce.js';
import type { PlacedQuestion } from '../../../activities/dependencies.js';
import { prepareInput } from '../../../activities/inputs.js';
import { saveSnapshot } from '../../../activities/snapshots.js';
import { judgeToolCalls } from '../../../activities/judge-calls.js';
import { noteApproval, noteMutation } from '../../../activities/note-approval.js';
import { settleLost } from '../../../activities/settle-ended.js';
import { ownSpace } from '../../../activities/own-call.js';
import type {
  Activities,
  EventDelivery,
  Reconciled,
  ReconcileRequest,
} from '../../../activities/types.js';
import type {
  Announcement,
  DependencyEdge,
  MembershipPage,
  MembershipRequest,
} from '../../../contracts/announcement.js';
import type { ApprovalNote, StoredProposal } from '../../../contracts/approval-log.js';
import { serverConfigSchema } from '../../../contracts/config.js';
import { LAST_REVISION } from '../../../contracts/constants/limits.js';
import type { IntentEvent } from '../../../contracts/event.js';
import type { Intent, IntentNote } from '../../../contracts/intent.js';
import type { JournalRow, RowOf } from '../../../contracts/journal.js';
import type { DeliveryReceipt, NotificationRequest } from '../../../contracts/notification.js';
import type { Ruling } from '../../../contracts/problem.js';
import type { LiveView } from '../../../contracts/suspension-view.js';
import type { StoredSnapshot } from '../../../contracts/snapshot.js';
import type { Settlement, TimelineEntry } from '../../../contracts/suspension.js';
import type { Checkpoint } from '../../../contracts/checkpoint.js';
import type { TaskNews } from '../../../contracts/task.js';
import { announcementOf } from '../../../domain/graph/announcement.js';
import { guardFor } from '../../../domain/policy/access-list.js';
import { refuseCycle } from '../../../domain/graph/dependencies.js';
import { cycleOf } from '../../../domain/kernel/graph.js';
import { ok } from '../../../domain/kernel/ruling.js';
import { storedNews } from '../../../domain/plan/task-state.js';
import { openingBeside } from '../../../domain/suspension/opening-row.js';
import { timelineEvent } from '../../../domain/suspension/timeline-seal.js';
import type { TimelineEvent } from '../../../domain/suspension/timeline-seal.js';
import { viewOf } from '../../../domain/suspension/view.js';
import { workflowMessages } from '../../../workers/activity-adapters.js';
import { endOf, lookUp } from '../../../workers/reconciliation.js';

/** A receipt; its time is the server's. */
type Delivered = Omit<DeliveryReceipt, 'delivered_at'>;

/** Activities that remember what they were asked, and fail or hang on demand. */
export class FakeActivities implements Activities {
  readonly rows: JournalRow[] = [];
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

  /** Runs in the place of the next write, once. */
  dyingWrite: Activities['writeJournal'] | undefined;

  writeJournal = async (rows: readonly JournalRow[]): Promise<void> => {
    if (this.storeIsDown) throw new Error('the store is down');
    const { dyingWrite } = this;
    this.dyingWrite = undefined;
    if (dyingWrite) return dyingWrite(rows);
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

  /** Whether deliveries know that they may have to write an opening. */
  knowsOpenings = true;
  notify: Activities['notify'] = async (request, rest) => {
    this.notified.push(request);
    const isWritten = this.knowsOpenings && rest !== undefined && !this.storeIsDown;
    if (isWritten && !this.suspensionOf(request.suspension_id))
      this.rows.push(openingBeside(request, rest));
    const delivered = await this.deliver(request);
    const delivered_at = new Date(await this.currentTime()).toISOString();
    return { delivered_at, ...delivered, ...(isWritten && { opening_written: true }) };
  };

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

  private readonly workflows = workflowMessages();
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
  readProposal: Activities['readProposal'] = async (id, questions = []) => {
    if (this.storeIsDown) throw new Error('the store is down');
    const stored = this.approvalRows(id).at(-1);
    if (!stored) return null;
    const asked = questions.flatMap((suspension_id) => {
      const approval = this.suspensionOf(suspension_id)?.record.approval;
      return approval ? [{ suspension_id, ...approval }] : [];
    });
    return this.tamper({ proposed: stored.proposed, proposal: stored.approval.proposal, asked });
  };

  /** The rows of an approval in the order in which they came. */
  approvalRows(id: string): RowOf<'approval'>[] {
    return this.rows.flatMap((row) =>
      row.kind === 'approval' && row.approval.approval_id === id ? [row] : [],
    );
  }
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
      endOf: (question: PlacedQuestion) => endOf(getClient(), question),
      lookUp: (question: PlacedQuestion) => lookUp(getClient(), question),
      writeRows: async (rows: readonly JournalRow[]) => void this.rows.push(...rows),
    };
    return settleLost({ store, reconciliation, now: () => at }, suspensionId, space);
  };
  /** Runs before an event is appended for another workflow. */
  beforeNote: () => Promise<void> = () => Promise.resolve();
  noteIntent = async (note: IntentNote): Promise<void> => {
    await this.beforeNote();
    await this.workflows.appendEvent(note);
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
  private readonly linked: JournalRow[] = [];

  linkDependency = async (edge: DependencyEdge): Promise<Ruling<true>> => {
    await this.beforeLink();
    const path = cycleOf(this.edges(), edge);
    if (path !== undefined) return refuseCycle(path);
    this.linked.push({ kind: 'dependency', ...edge, present: true });
    return ok(true);
  };

  /** The edges as the store would have them. */
  edges(): readonly DependencyEdge[] {
    const latest = new Map<string, JournalRow & { kind: 'dependency' }>();
    for (const row of [...this.linked, ...this.rows]) {
      if (row.kind !== 'dependency') continue;
      const key = `${row.intent_id} ${row.dependency_id}`;
      if ((latest.get(key)?.revision ?? 0) <= row.revision) latest.set(key, row);
    }
    return [...latest.values()].filter(({ present }) => present);
  }

  readTasks = async (taskIds: readonly string[]): Promise<readonly TaskNews[]> => {
    if (this.storeIsDown) throw new Error('the store is down');
    return taskIds.flatMap((id) => {
      const row = this.taskRow(id);
      return row ? [storedNews(row.task, row.revision)] : [];
    });
  };

  /** The task as the store holds it last. */
  taskRow(taskId: string): RowOf<'task'> | undefined {
    return this.rows.findLast((row) => row.kind === 'task' && row.task.id === taskId) as
      RowOf<'task'> | undefined;
  }

  eventsOf(intentId: string | null): IntentEvent[] {
    return this.rows
      .flatMap((row) =>
        row.kind === 'event' && row.event.intent_id === intentId ? [row.event] : [],
      )
      .filter((event, index, all) => all.findIndex(({ id }) => id === event.id) === index);
  }

  /** The intent as the store holds it last. */
  intentOf(intentId: string | null): Intent {
    const row = this.rows.findLast((one) => one.kind === 'intent' && one.intent.id === intentId);
    if (row?.kind !== 'intent') throw new Error(`the store has no intent ${String(intentId)}`);
    return row.intent;
  }

  /** The intent as the store would announce it. */
  announcementOf(intentId: string): Announcement | undefined {
    const row = this.rows.findLast((one) => one.kind === 'intent' && one.intent.id === intentId);
    if (row?.kind !== 'intent') return undefined;
    const asked = this.rows.findLast(
      (one) => one.kind === 'suspension_opened' && one.intent_id === intentId,
    );
    const question =
      asked?.kind === 'suspension_opened'
        ? { suspension_id: asked.record.id, attempt: 1 }
        : undefined;
    const { intent, last_sequence } = row;
    const guard = guardFor(intent);
    const rest = { question, held_upstream: false, holds: 0, guard };
    return announcementOf(intent, { last_sequence, ...rest });
  }

  async signCheckpoint(): Promise<Checkpoint> {
    return this.checkpoint();
  }

  async deliverCheckpoints(): Promise<void> {
    await this.deliverCheckpoint();
  }

  tellOutcomes = (): Promise<void> => Promise.resolve();

  markSettled(): ReturnType<Activities['markSettled']> {
    return this.retention.mark();
  }

  removeMarked(): Promise<void> {
    return this.retention.remove();
  }

  reconcile(request: ReconcileRequest): Promise<Reconciled> {
    return this.reconciling(request);
  }

  /** The suspension as the store would give it: its opening with its end. */
  suspensionOf(id: string): LiveView | undefined {
    const opened = this.rows.find(
      (row) => row.kind === 'suspension_opened' && row.record.id === id,
    );
    if (opened?.kind !== 'suspension_opened') return undefined;
    const ended = this.rows.find(
      (row) => row.kind === 'suspension_settled' && row.suspension_id === id,
    );
    const settlement = ended?.kind === 'suspension_settled' ? ended.settlement : {};
    const record = { ...opened.record, ...settlement };
    return viewOf({ intent_id: opened.intent_id, record, attempt: 1 }, opened, this.timelineOf(id));
  }

  /** The timeline rows of a suspension in the order in which they arrived, repeats included. */
  timelineOf(suspensionId: string): TimelineEntry[] {
    return this.rows.flatMap((row) =>
      row.kind === 'timeline' && row.suspension_id === suspensionId ? [row.entry] : [],
    );
  }

  /** The same as they are hashed, each once; those that workflows handed over unchained have no hash. */
  timelineEventsOf(suspensionId: string): TimelineEvent[] {
    const rows = this.rows.flatMap((row) =>
      row.kind === 'timeline' && row.suspension_id === suspensionId ? [row] : [],
    );
    const events = rows.map(({ entry, seal }) =>
      timelineEvent(suspensionId, entry, seal ?? { ...NO_SEAL, payload_salt: null }),
    );
    return [...new Map(events.map((event) => [event.sequence, event])).values()];
  }

  attemptsOf(suspensionId: string): number[] {
    return this.notified
      .filter(({ suspension_id }) => suspension_id === suspensionId)
      .map(({ attempt }) => attempt);
  }
}

const NO_SEAL = { payload_commitment: '', previous_event_hash: null, event_hash: '' };

/** Members that one page holds; few, so that tests see more than one. */
const PAGE = 2;

/** Who came into a portfolio and left it, as the store would tell it from such rows. */
export function membersIn(
  rows: readonly JournalRow[],
  { portfolio_id, since, last_sequence }: MembershipRequest,
): MembershipPage | undefined {
  const stored = rows.findLast(
    (row) => row.kind === 'portfolio' && row.portfolio.id === portfolio_id,
  );
  if (stored?.kind !== 'portfolio' || stored.last_sequence < last_sequence) return undefined;
  const newest = new Map(
    rows.flatMap((row) =>
      row.kind === 'portfolio_member' && row.portfolio_id === portfolio_id
        ? [[row.intent_id, row] as const]
        : [],
    ),
  );
  const changed = [...newest.values()]
    .filter(({ revision }) => revision > since)
    .sort((one, other) => one.revision - other.revision);
  const page = changed.slice(0, PAGE);
  const more = changed.length > PAGE;
  return {
    through: more ? (page.at(-1)?.revision ?? since) : stored.portfolio.version,
    more,
    changes: page.map(({ intent_id, membership }) => [intent_id, membership !== null]),
  };
}
