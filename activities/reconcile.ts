import type { EntityKey } from '../contracts/kernel/primitives.js';
import { SERVER } from '../contracts/constants/callers.js';
import { LAST_REVISION } from '../contracts/constants/limits.js';
import { lostApproval } from '../domain/approval/record/details.js';
import { toInstant, toMillis } from '../domain/kernel/time.js';
import type {
  ApprovalReconciliation,
  AskedToWrite,
  Contradicted,
  ForgottenOutcomes,
  LostEntities,
  Place,
  PlacedEntity,
  Reconciliation,
  TimeRange,
} from './ports/reconciliation.js';
import type { Failed, Finding, ReconcileRequest, Reconciled } from './types.js';
import { reasonOf } from './failures.js';
import { Look, type ReconcileWatch } from './look.js';
import { settleEnded, type SettlingDependencies } from './settle-ended.js';

interface ApprovalDependencies {
  readonly approvals: ApprovalReconciliation;
  readonly now: () => Date;
}

/**
 * Repairs an approval that waits in the store while its workflow is closed; undefined if it needs no repair. Its row
 * is written last, so that an interrupted repair is repeated by the next look.
 */
async function approvalFinding(
  { approvals, now }: ApprovalDependencies,
  placed: EntityKey,
  cancelMissing: boolean,
): Promise<Finding | undefined> {
  const end = await approvals.endOf(placed);
  if (end === undefined) return undefined;
  if (end.kind === 'missing' && !cancelMissing) return 'missing';
  if (end.kind === 'decided') {
    await approvals.writeRow(end.row, placed.space);
    return 'written';
  }
  const stored = await approvals.find(placed);
  if (stored?.status !== 'pending') return undefined;
  const { view, events } = lostApproval(stored, toInstant(now().getTime()));
  const { resolution, intent_id, proposal } = view;
  await approvals.withdrawQuestions(placed, resolution?.reason ?? '');
  const { run_id } = proposal;
  const at = resolution?.resolved_at ?? view.created_at;
  for (const { key, draft } of events) {
    const note = { key, run_id, intent_id, principal: SERVER.principal, ...draft, at };
    await approvals.note(note, placed.space);
  }
  const row = { kind: 'approval', approval: view, proposed: proposal } as const;
  await approvals.writeRow({ ...row, revision: LAST_REVISION }, placed.space);
  return 'lost';
}

/**
 * Ends in the store what lost its workflow by termination or failure. Otherwise it would stay active for ever, and so
 * would whoever waits for it. Returns the finding; undefined if it needs no repair.
 */
async function lostFinding(
  { entities, now }: { readonly entities: LostEntities; readonly now: () => Date },
  placed: PlacedEntity,
  cancelMissing: boolean,
): Promise<Finding | undefined> {
  const end = await entities.endOf(placed);
  if (end === undefined) return undefined;
  if (end === 'missing' && !cancelMissing) return 'missing';
  return (await entities.end(placed, toInstant(now().getTime()))) ? 'lost' : undefined;
}

function isEntity(failed: Failed): failed is PlacedEntity {
  return failed.type !== 'suspension' && failed.type !== 'approval';
}

/**
 * After this many questions in a row without an answer from a worker, the others are not asked, because each takes
 * its time.
 */
const SILENT_IN_A_ROW = 3;

/**
 * Updates open questions that have progressed further than the store shows, for example after the store was restored
 * from a copy.
 */
export class CatchUp {
  private readonly reconciliation: Pick<Reconciliation, 'progressOf' | 'writeRows'>;
  private readonly note: (reason: string) => void;
  private silent = 0;
  private left = 0;

  /** @param note - called with the reason why a question could not be asked */
  constructor(
    reconciliation: Pick<Reconciliation, 'progressOf' | 'writeRows'>,
    note: (reason: string) => void,
  ) {
    this.reconciliation = reconciliation;
    this.note = note;
  }

  /** How many questions did not say how far they have come. */
  get unasked(): number {
    return this.left;
  }

  async bring(question: EntityKey): Promise<Finding | undefined> {
    const row = this.silent < SILENT_IN_A_ROW ? await this.ask(question) : 'no_worker';
    if (row === 'no_worker') this.left += 1;
    if (row === 'no_worker' || row === undefined) return undefined;
    await this.reconciliation.writeRows([row], question.space);
    return 'behind';
  }

  private async ask(question: EntityKey): ReturnType<Reconciliation['progressOf']> {
    try {
      const row = await this.reconciliation.progressOf(question);
      this.silent = row === 'no_worker' ? this.silent + 1 : 0;
      return row;
    } catch (error) {
      this.left += 1;
      this.note(reasonOf(error));
      return undefined;
    }
  }
}

/**
 * Finds what a Temporal that was restored to an earlier state has forgotten: open questions get their stored outcome
 * again. Contradictions are only reported, because the agents have continued already.
 */
class ForgottenLook {
  private readonly forgotten: ForgottenOutcomes;
  private readonly look: Look;
  private readonly seen = new Set<string>();

  constructor(forgotten: ForgottenOutcomes, look: Look) {
    this.forgotten = forgotten;
    this.look = look;
  }

  /** Checks questions whose workflows run according to Temporal, although they were settled before `until`. */
  async atRunning(page: readonly EntityKey[], until: string): Promise<void> {
    await this.handIn(await this.forgotten.settledOf(page, until));
  }

  async atSettled(page: readonly EntityKey[]): Promise<void> {
    await this.handIn(await this.forgotten.runningOf(page));
  }

  /** A running workflow may only be busy with its last delivery, so it is asked whether the question is open. */
  private async handIn(questions: readonly EntityKey[]): Promise<void> {
    const unseen = questions.filter(({ id }) => !this.seen.has(id));
    for (const { id } of unseen) this.seen.add(id);
    await this.look.at('suspension', unseen, async (question) =>
      (await this.forgotten.handIn(question)) ? 'handed_in' : undefined,
    );
  }
}

/** A stage of a look: handles pages, and resolves with whether it reached the last one. */
type Stage = (look: Look) => Promise<boolean>;

/** A stage that handles pages. It ends early, between two pages, once the time of the slice is over. */
function pageByPage<P>(
  pages: (place: Place) => AsyncIterable<readonly P[]>,
  work: (page: readonly P[]) => Promise<void>,
): Stage {
  return async (look) => {
    for await (const page of pages(look)) {
      if (look.isOver) return false;
      look.goOn();
      await work(page);
      look.worked();
    }
    return true;
  };
}

function atOnce(work: () => Promise<void>): Stage {
  return async (look) => {
    look.goOn();
    await work();
    return true;
  };
}

/** Continues a look from where it stopped; resolves with whether it finished. */
async function goThrough(stages: readonly Stage[], look: Look): Promise<boolean> {
  for (const stage of stages.slice(look.stage)) {
    if (look.isOver || !(await stage(look))) return false;
    look.nextStage();
  }
  return true;
}

/** How long the regular writer may take to write the end of a question, in milliseconds. */
export const GRACE_MS = 30_000;
/** How far each look overlaps the last, in milliseconds: Temporal lists a workflow some time after it ended. */
export const OVERLAP_MS = 300_000;

interface Dependencies extends SettlingDependencies {
  readonly reconciliation: Reconciliation;
}

/**
 * Finds questions and approvals that are open in the store while their workflow is closed: the writer of the end died, or somebody
 * terminated the workflow. Writes what the workflow returned, or cancels the question, and informs the workflow that waits. Tells
 * open questions, approvals and intents to write if the store lacks them or has an older state, and brings open questions up to
 * date when it looks at all of them. Hands an outcome in again that Temporal has forgotten. Repeating any of it
 * changes nothing. A look that is to end before that returns where it goes on.
 */
export async function reconcile(
  dependencies: Dependencies,
  request: ReconcileRequest,
  watch: ReconcileWatch,
): Promise<Reconciled> {
  const { reconciliation, now } = dependencies;
  const { so_far } = request;
  const until = so_far?.looked_until ?? toInstant(now().getTime() - GRACE_MS);
  const look = new Look(watch, reconciliation.isAway, until, so_far);
  const parts = { dependencies, request, range: rangeOf(request, until), until, look, watch };
  const [questions, approvals, entities] = [
    atQuestions(parts),
    atApprovals(parts),
    atEntities(parts),
  ];
  const stages = [
    atOnce(async () => {
      for (const { again } of [questions, approvals, entities]) await again();
    }),
    ...[questions, approvals, entities].flatMap(({ stages: pages }) => pages),
  ];
  return (await goThrough(stages, look)) ? look.result : look.soFar;
}

interface Parts {
  readonly dependencies: Dependencies;
  readonly request: ReconcileRequest;
  readonly range: TimeRange | string;
  readonly until: string;
  readonly look: Look;
  readonly watch: ReconcileWatch;
}

/** How one kind of thing is handled: first those that failed in the last look, and then page by page. */
interface Kind {
  readonly again: () => Promise<void>;
  readonly stages: readonly Stage[];
}

function atQuestions(parts: Parts): Kind {
  const { dependencies, range } = parts;
  const { forgotten, openIn, endedIn, runningSince } = dependencies.reconciliation;
  const { created, running, settled, contradicted, ended, again, tellUnasked } = workOn(parts);
  async function* settledIn(place: Place) {
    if (typeof range !== 'string') yield* forgotten.settledIn(range, place);
  }
  const end = (place: Place) =>
    typeof range === 'string' ? openIn(range, place) : endedIn(range, place);
  return {
    again,
    stages: [
      pageByPage((place) => runningSince('intent', range, place), created),
      pageByPage((place) => runningSince('suspension', range, place), running),
      pageByPage(settledIn, settled),
      pageByPage((place) => forgotten.contradicted(range, place), contradicted),
      pageByPage(end, ended),
      atOnce(tellUnasked),
    ],
  };
}

/** The handling of pages of questions and of intents. */
function workOn({ dependencies, request, until, look, watch }: Parts) {
  const { reconciliation } = dependencies;
  const { notCreated, notOpened, notSettled, intentsBehind } = reconciliation;
  const handedIn = new ForgottenLook(reconciliation.forgotten, look);
  const up = new CatchUp(reconciliation, (reason) =>
    watch.warn('an open question is not asked', reason),
  );
  const toIntents = (intents: readonly EntityKey[]) =>
    look.at('intent', intents, told(dependencies, 'intent', 'behind'));
  const whileOpen = async (question: EntityKey): Promise<Finding | undefined> =>
    request.since === null ? up.bring(question) : undefined;
  const find = (one: EntityKey) => findingOf(dependencies, one, request, whileOpen);

  async function running(page: readonly EntityKey[]): Promise<void> {
    const unknown = await notOpened(page);
    await look.at('suspension', unknown, told(dependencies, 'suspension', 'unknown'));
    await toIntents(await intentsBehind(page, until));
    await handedIn.atRunning(page, until);
  }

  async function ended(page: readonly EntityKey[]): Promise<void> {
    await look.at('suspension', await notSettled(page), find);
    await toIntents(await intentsBehind(page, until));
  }

  async function again(): Promise<void> {
    await toIntents(failedOf(request, 'intent'));
    const questions = failedOf(request, 'suspension');
    if (questions.length > 0) await running(questions);
    // The store may already show the end of such a question; only the report failed.
    await look.at('suspension', questions, find);
  }

  async function tellUnasked(): Promise<void> {
    if (up.unasked === 0) return;
    watch.warn('open questions are not up to date', `${up.unasked} gave no answer`);
  }

  return {
    running,
    ended,
    again,
    tellUnasked,
    created: async (page: readonly EntityKey[]) => toIntents(await notCreated(page)),
    settled: (page: readonly EntityKey[]) => handedIn.atSettled(page),
    contradicted: (page: readonly Contradicted[]) =>
      look.at('suspension', page, async () => 'contradicted'),
  };
}

/** Approvals come after their questions, because an approval may only wait for the report of one. */
function atApprovals({ dependencies, request, range, look }: Parts): Kind {
  const { reconciliation, now } = dependencies;
  const { approvals, runningSince } = reconciliation;
  const running = async (page: readonly EntityKey[]): Promise<void> =>
    look.at('approval', await approvals.notKnown(page), told(dependencies, 'approval', 'unknown'));
  const ended = async (page: readonly EntityKey[]): Promise<void> =>
    look.at('approval', await approvals.notDecided(page), (placed) =>
      approvalFinding({ approvals, now }, placed, request.cancel_missing === true),
    );
  const end = (place: Place) =>
    typeof range === 'string' ? approvals.openIn(range, place) : approvals.endedIn(range, place);
  return {
    async again() {
      const failed = failedOf(request, 'approval');
      if (failed.length === 0) return;
      await running(failed);
      await ended(failed);
    },
    stages: [
      pageByPage((place) => runningSince('approval', range, place), running),
      pageByPage(end, ended),
    ],
  };
}

/** Intents, plans, tasks, portfolios and coordinators that lost their workflows. */
function atEntities({ dependencies, request, range, look }: Parts): Kind {
  const { reconciliation, now } = dependencies;
  const { entities } = reconciliation;
  const find = (placed: PlacedEntity) =>
    lostFinding({ entities, now }, placed, request.cancel_missing === true);
  const end = (place: Place) =>
    typeof range === 'string' ? entities.openIn(range, place) : entities.endedIn(range, place);
  return {
    again: () => look.each((request.again ?? []).filter(isEntity), find),
    stages: [pageByPage(end, async (page) => look.each(await entities.stillOpen(page), find))],
  };
}

function failedOf({ again = [] }: ReconcileRequest, type: AskedToWrite): readonly EntityKey[] {
  return again.filter((failed) => failed.type === type);
}

/** Returns the range of a run: a time range, or everything until an instant. */
function rangeOf({ since }: ReconcileRequest, to: string): TimeRange | string {
  return since === null ? to : { from: toInstant(toMillis(since) - OVERLAP_MS), to };
}

/**
 * Makes the workflow write the rows that the asker, or the settler, should have written. A closed one has none to
 * write.
 */
function told({ reconciliation }: Dependencies, type: AskedToWrite, finding: Finding) {
  return async (placed: EntityKey): Promise<Finding | undefined> =>
    (await reconciliation.askToWrite(type, placed)) ? finding : undefined;
}

/**
 * Repairs a question; returns the finding, or undefined if it needs no repair. The workflow that waits for a lost one
 * is informed before the store shows the loss, so that an interrupted repair is repeated by the next look.
 */
async function findingOf(
  dependencies: Dependencies,
  question: EntityKey,
  { cancel_missing }: ReconcileRequest,
  whileOpen: (question: EntityKey) => Promise<Finding | undefined>,
): Promise<Finding | undefined> {
  const { reconciliation } = dependencies;
  const end = await reconciliation.endOf(question);
  if (end === undefined) return whileOpen(question);
  if (end.kind === 'missing' && !cancel_missing) return 'missing';
  const outcome = await settleEnded(dependencies, question, end, (view) =>
    reconciliation.tell(view, question.space),
  );
  if (outcome?.state !== 'settled') return undefined;
  return end.kind === 'settled' ? 'written' : 'lost';
}
