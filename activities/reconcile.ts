import { toInstant, toMillis } from '../domain/kernel/time.js';
import { settlementOf } from '../domain/suspension/state.js';
import type { SettledRecord } from '../contracts/suspension.js';
import type { JournalRow } from '../contracts/journal.js';
import type {
  ActivityDependencies,
  ActivityStore,
  PlacedQuestion,
  WorkflowMessages,
} from './dependencies.js';
import { settleLost } from './inputs.js';
import type { Reconciled, ReconcileRequest } from './types.js';

/** Whoever should write the end of a question has this long, in milliseconds. */
const GRACE_MS = 30_000;
/** Temporal lists a workflow some time after it ended; each look goes back so far behind the end of the last. */
const OVERLAP_MS = 300_000;
/** So many questions are looked at side by side. */
const AT_ONCE = 8;
/** Any row that a question has written itself is newer. */
const OLDEST_REVISION = 0;

interface Dependencies extends Pick<ActivityDependencies, 'reconciliation' | 'now'> {
  readonly store: Pick<ActivityStore, 'findSuspension' | 'settleSuspension'>;
  readonly workflows: Pick<WorkflowMessages, 'isOpen'>;
}

/** What became of a question that was open in the store while its workflow was closed. */
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
  const findings: Record<Finding, number> = { written: 0, lost: 0, missing: 0 };
  for await (const page of pagesOf(dependencies, request, looked_until)) {
    goOn();
    const waiting = (await reconciliation.notSettled(page)).values();
    const lane = async (): Promise<void> => {
      for (const question of waiting) {
        const finding = await findingOf(dependencies, question, request);
        if (finding === undefined) continue;
        findings[finding] += 1;
        found(question, finding);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, lane));
  }
  return { looked_until, ...findings };
}

function pagesOf({ reconciliation }: Dependencies, { since }: ReconcileRequest, until: string) {
  if (since === null) return reconciliation.openIn(until);
  return reconciliation.endedIn({ from: toInstant(toMillis(since) - OVERLAP_MS), to: until });
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
  const isOpen = (await store.findSuspension(id, space))?.state === 'pending';
  if (!isOpen) return;
  const settlement = settlementOf(record);
  const row = { kind: 'suspension_settled', suspension_id: id, revision: OLDEST_REVISION } as const;
  await reconciliation.writeRows([{ ...row, settlement }], space);
}
