import { toInstant, toMillis } from '../domain/kernel/time.js';
import type { AskedToWrite, PlacedQuestion, Reconciliation, TimeRange } from './dependencies.js';
import { forEach } from './announce.js';
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

/** Follows a look for what nobody wrote. */
export interface ReconcileWatch {
  /** Called before each page of at most 200 questions; throws if the work is to end. */
  readonly goOn: () => void;
  readonly found: (question: PlacedQuestion, finding: Finding) => void;
}

/**
 * Finds questions that are open in the store while their workflow is closed: who should have written the end died
 * before, or somebody terminated the workflow. Writes what the workflow returned, or cancels the question, and tells
 * the workflow that waits. Open questions and intents that the store does not have, or not as they are, are told to
 * write. Whatever is repeated, or done by another meanwhile, changes nothing.
 */
export async function reconcile(
  dependencies: Dependencies,
  request: ReconcileRequest,
  { goOn, found }: ReconcileWatch,
): Promise<Reconciled> {
  const { reconciliation, now } = dependencies;
  const looked_until = toInstant(now().getTime() - GRACE_MS);
  const range = rangeOf(request, looked_until);
  const findings: Record<Finding, number> = {
    written: 0,
    lost: 0,
    missing: 0,
    unknown: 0,
    behind: 0,
  };
  const look = async (
    questions: readonly PlacedQuestion[],
    work: (question: PlacedQuestion) => Promise<Finding | undefined>,
  ): Promise<void> => {
    await forEach(questions, async (question) => {
      const finding = await work(question);
      if (finding === undefined) return;
      findings[finding] += 1;
      found(question, finding);
    });
  };
  const { runningSince, endedIn, openIn, notCreated, notOpened, notSettled } = reconciliation;
  const catchUp = async (questions: readonly PlacedQuestion[]): Promise<void> =>
    look(await reconciliation.intentsBehind(questions), told(dependencies, 'intent', 'behind'));
  for await (const page of runningSince('intent', range)) {
    goOn();
    await look(await notCreated(page), told(dependencies, 'intent', 'behind'));
  }
  for await (const page of runningSince('suspension', range)) {
    goOn();
    await look(await notOpened(page), told(dependencies, 'suspension', 'unknown'));
    await catchUp(page);
  }
  for await (const page of typeof range === 'string' ? openIn(range) : endedIn(range)) {
    goOn();
    const left = await notSettled(page);
    await look(left, (question) => findingOf(dependencies, question, request));
    await catchUp(page);
  }
  return { looked_until, ...findings };
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

/** Repairs a question, and returns what was found; undefined if it needs no repair. */
async function findingOf(
  dependencies: Dependencies,
  question: PlacedQuestion,
  { cancel_missing }: ReconcileRequest,
): Promise<Finding | undefined> {
  const { reconciliation } = dependencies;
  const end = await reconciliation.endOf(question);
  if (end === undefined) return undefined;
  if (end.kind === 'missing' && !cancel_missing) return 'missing';
  const outcome = await settleEnded(dependencies, question, end);
  if (outcome?.state !== 'settled') return undefined;
  await reconciliation.tell(outcome, question.space);
  return end.kind === 'settled' ? 'written' : 'lost';
}
