import { toInstant, toMillis } from '../domain/kernel/time.js';
import { settlementOf } from '../domain/suspension/state.js';
import type { SettledRecord } from '../contracts/suspension.js';
import type { JournalRow } from '../contracts/journal.js';
import type {
  ActivityDependencies,
  ActivityStore,
  PlacedQuestion,
  TimeRange,
  WorkflowMessages,
} from './dependencies.js';
import { forEach } from './announce.js';
import { settleLost } from './inputs.js';
import type { Reconciled, ReconcileRequest } from './types.js';

/** Whoever should write the end of a question has this long, in milliseconds. */
const GRACE_MS = 30_000;
/** Temporal lists a workflow some time after it ended; each look goes back so far behind the end of the last. */
const OVERLAP_MS = 300_000;
/** Any row that a question has written itself is newer. */
const OLDEST_REVISION = 0;

interface Dependencies extends Pick<ActivityDependencies, 'reconciliation' | 'now'> {
  readonly store: Pick<ActivityStore, 'findSuspension' | 'settleSuspension'>;
  readonly workflows: Pick<WorkflowMessages, 'isOpen'>;
}

/** What was wrong with a question, as the counts of a look name it. */
export type Finding = keyof Omit<Reconciled, 'looked_until'>;

/** Follows a look for what nobody wrote. */
export interface ReconcileWatch {
  /** Called before each page of at most 200 questions; throws if the work is to end. */
  readonly goOn: () => void;
  readonly found: (question: PlacedQuestion, finding: Finding) => void;
}

/**
 * Finds questions that are open in the store while their workflow is closed: who should have written the end died
 * before, or somebody terminated the workflow. Writes what the workflow returned, or cancels the question, and tells
 * the workflow that waits. Whatever is repeated, or done by another meanwhile, changes nothing.
 */
export async function reconcile(
  dependencies: Dependencies,
  request: ReconcileRequest,
  { goOn, found }: ReconcileWatch,
): Promise<Reconciled> {
  const { reconciliation, now } = dependencies;
  const looked_until = toInstant(now().getTime() - GRACE_MS);
  const range = rangeOf(request, looked_until);
  const findings: Record<Finding, number> = { written: 0, lost: 0, missing: 0, unknown: 0 };
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
  for await (const page of reconciliation.runningSince(range)) {
    goOn();
    await look(await reconciliation.notOpened(page), (question) => told(dependencies, question));
  }
  const { endedIn, openIn } = reconciliation;
  for await (const page of typeof range === 'string' ? openIn(range) : endedIn(range)) {
    goOn();
    const left = await reconciliation.notSettled(page);
    await look(left, (question) => findingOf(dependencies, question, request));
  }
  return { looked_until, ...findings };
}

/** What is looked at: a time, or all until an instant. */
function rangeOf({ since }: ReconcileRequest, to: string): TimeRange | string {
  return since === null ? to : { from: toInstant(toMillis(since) - OVERLAP_MS), to };
}

/** Who asked should have written the opening; now the question does. */
async function told({ reconciliation }: Dependencies, question: PlacedQuestion): Promise<Finding> {
  await reconciliation.askToWrite(question);
  return 'unknown';
}

/** Repairs a question, and returns what was found; undefined if it needs no repair. */
async function findingOf(
  dependencies: Dependencies,
  question: PlacedQuestion,
  { cancel_missing }: ReconcileRequest,
): Promise<Finding | undefined> {
  const { reconciliation, store } = dependencies;
  const { id, space } = question;
  const end = await reconciliation.endOf(question);
  if (end === undefined) return undefined;
  if (end.kind === 'missing' && !cancel_missing) return 'missing';
  if (end.kind === 'settled') await writeOutcome(dependencies, question, end);
  else await settleLost(dependencies, id, space);
  const outcome = await store.findSuspension(id, space);
  if (outcome?.state !== 'settled') return undefined;
  await reconciliation.tell(outcome, space);
  return end.kind === 'settled' ? 'written' : 'lost';
}

/** The rows that a question left to its intent are lost with it; the outcome is not. */
async function writeOutcome(
  { reconciliation, store }: Dependencies,
  { id, space }: PlacedQuestion,
  { record, rows }: { readonly record: SettledRecord; readonly rows: readonly JournalRow[] },
): Promise<void> {
  await reconciliation.writeRows(rows, space);
  if ((await store.findSuspension(id, space)) === undefined) {
    const opening = await reconciliation.openingOf({ id, space });
    if (opening) await reconciliation.writeRows([opening], space);
  }
  const isOpen = (await store.findSuspension(id, space))?.state === 'pending';
  if (!isOpen) return;
  const settlement = settlementOf(record);
  const row = { kind: 'suspension_settled', suspension_id: id, revision: OLDEST_REVISION } as const;
  await reconciliation.writeRows([{ ...row, settlement }], space);
}
