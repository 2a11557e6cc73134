import { toInstant, toMillis } from '../domain/kernel/time.js';
import type { AskedToWrite, PlacedQuestion, Reconciliation, TimeRange } from './dependencies.js';
import { approvalFinding } from './reconcile-approvals.js';
import { CatchUp } from './catch-up.js';
import { Look } from './look.js';
import type { ReconcileWatch } from './look.js';
import { reasonOf } from './reason.js';
import { settleEnded } from './settle-ended.js';
import type { SettlingDependencies } from './settle-ended.js';
import type { Finding, Reconciled, ReconcileRequest } from './types.js';

/** Whoever should write the end of a question has this long, in milliseconds. */
const GRACE_MS = 30_000;
/** Temporal lists a workflow some time after it ended; each look goes back so far behind the end of the last. */
const OVERLAP_MS = 300_000;

interface Dependencies extends SettlingDependencies {
  readonly reconciliation: Reconciliation;
}

/**
 * Finds questions that are open in the store while their workflow is closed: who should have written the end died
 * before, or somebody terminated the workflow. Writes what the workflow returned, or cancels the question, and tells
 * the workflow that waits. So it does with approvals. Open questions, approvals and intents that the store does not have, or not
 * as they are, are told to write; where all are looked at, what the store shows of open questions is brought up to date. Last, it
 * counts again what waits for questions, where that is left to do. Whatever is repeated, or done by another meanwhile, changes nothing.
 */
export async function reconcile(
  dependencies: Dependencies,
  request: ReconcileRequest,
  watch: ReconcileWatch,
): Promise<Reconciled> {
  const { reconciliation, now } = dependencies;
  const { goOn, warn } = watch;
  const looked_until = toInstant(now().getTime() - GRACE_MS);
  const range = rangeOf(request, looked_until);
  const look = new Look(watch, reconciliation.isAway);
  const again = (type: AskedToWrite) =>
    (request.again ?? []).filter((failed) => failed.type === type);
  const { runningSince, endedIn, openIn, notCreated, notOpened, notSettled, intentsBehind } =
    reconciliation;
  const catchUp = async (questions: readonly PlacedQuestion[]): Promise<void> =>
    look.at('intent', await intentsBehind(questions), told(dependencies, 'intent', 'behind'));
  await look.at('intent', again('intent'), told(dependencies, 'intent', 'behind'));
  for await (const page of runningSince('intent', range)) {
    goOn();
    await look.at('intent', await notCreated(page), told(dependencies, 'intent', 'behind'));
  }
  for await (const page of first(again('suspension'), runningSince('suspension', range))) {
    goOn();
    const unknown = await notOpened(page);
    await look.at('suspension', unknown, told(dependencies, 'suspension', 'unknown'));
    await catchUp(page);
  }
  const up = new CatchUp(reconciliation, (reason) => warn('an open question is not asked', reason));
  const whileOpen = async (question: PlacedQuestion): Promise<Finding | undefined> =>
    request.since === null ? up.bring(question) : undefined;
  const find = (one: PlacedQuestion) => findingOf(dependencies, one, request, whileOpen);
  // The store may show how such a question ended; it was the report that failed.
  await look.at('suspension', again('suspension'), find);
  for await (const page of typeof range === 'string' ? openIn(range) : endedIn(range)) {
    goOn();
    await look.at('suspension', await notSettled(page), find);
    await catchUp(page);
  }
  if (up.unasked > 0) warn('open questions are not up to date', `${up.unasked} gave no answer`);
  await reconcileApprovals(dependencies, request, range, { goOn, look, again: again('approval') });
  goOn();
  // It orders lists alone: what was found, and the instant of this look, must not be lost with it.
  await reconciliation.recountBlocks(goOn).catch((error: unknown) => {
    warn('what waits for questions is not counted', reasonOf(error));
  });
  return { looked_until, ...look.result };
}

/** What comes first, if there is any, and then the pages. */
async function* first(
  placed: readonly PlacedQuestion[],
  pages: AsyncIterable<readonly PlacedQuestion[]>,
): AsyncIterable<readonly PlacedQuestion[]> {
  if (placed.length > 0) yield placed;
  yield* pages;
}

interface Approvals {
  readonly goOn: () => void;
  readonly look: Look;
  /** Those that failed before. */
  readonly again: readonly PlacedQuestion[];
}

/** The questions of approvals come first: what they tell may be all that an approval waits for. */
async function reconcileApprovals(
  dependencies: Dependencies,
  { cancel_missing }: ReconcileRequest,
  range: TimeRange | string,
  { goOn, look, again }: Approvals,
): Promise<void> {
  const { reconciliation, now } = dependencies;
  const { approvals, runningSince } = reconciliation;
  for await (const page of first(again, runningSince('approval', range))) {
    goOn();
    const unknown = await approvals.notKnown(page);
    await look.at('approval', unknown, told(dependencies, 'approval', 'unknown'));
  }
  const ended = typeof range === 'string' ? approvals.openIn(range) : approvals.endedIn(range);
  for await (const page of first(again, ended)) {
    goOn();
    await look.at('approval', await approvals.notDecided(page), (placed) =>
      approvalFinding({ approvals, now }, placed, cancel_missing === true),
    );
  }
}

/** What is looked at: a time, or all until an instant. */
function rangeOf({ since }: ReconcileRequest, to: string): TimeRange | string {
  return since === null ? to : { from: toInstant(toMillis(since) - OVERLAP_MS), to };
}

/** Who asked, or settled, should have written what is missing; now the workflow does. */
function told({ reconciliation }: Dependencies, type: AskedToWrite, finding: Finding) {
  return async (placed: PlacedQuestion): Promise<Finding> => {
    await reconciliation.askToWrite(type, placed);
    return finding;
  };
}

/**
 * Repairs a question, and returns what was found; undefined if it needs no repair. Who waits for a lost one is told before the
 * store shows that: until then the next look begins anew.
 */
async function findingOf(
  dependencies: Dependencies,
  question: PlacedQuestion,
  { cancel_missing }: ReconcileRequest,
  whileOpen: (question: PlacedQuestion) => Promise<Finding | undefined>,
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
