import type { JournalRow } from '../contracts/journal.js';
import type { StoredInput } from '../contracts/suspension-requests.js';
import type { LiveView } from '../contracts/suspension-view.js';
import { toInstant } from '../domain/kernel/time.js';
import { openingRow } from '../domain/suspension/opening-row.js';
import { isSettled, lostRecord, settlementOf } from '../domain/suspension/state.js';
import type { ActivityStore, PlacedQuestion, QuestionEnd, Reconciliation } from './dependencies.js';

/** Any row that a question has written itself is newer. */
const OLDEST_REVISION = 0;

/** What finds out how a question ended, and writes it. */
export interface SettlingDependencies {
  readonly store: Pick<ActivityStore, 'findSuspension' | 'settleSuspension'>;
  readonly reconciliation: Pick<Reconciliation, 'endOf' | 'lookUp' | 'writeRows'>;
  readonly now: () => Date;
}

/**
 * Ends a question whose workflow is gone: whoever waited for it would wait for ever. What the workflow has returned
 * counts, which the store may not have yet; then what the store has. Otherwise it is cancelled by the system, in the
 * store too. One that goes on is returned as it stands. Returns null if nobody knows it.
 */
export async function settleLost(
  dependencies: SettlingDependencies,
  suspensionId: string,
  space: string,
): Promise<StoredInput | null> {
  const { store, reconciliation } = dependencies;
  const question = { id: suspensionId, space };
  const end = await reconciliation.endOf(question);
  if (end?.kind === 'settled') return inputOf(await reconciliation.lookUp(question));
  const found = await store.findSuspension(suspensionId, space);
  if (end === undefined || (found && isSettled(found.record))) return inputOf(found);
  return inputOf(await settleEnded(dependencies, question, end));
}

function inputOf(view: LiveView | undefined): StoredInput | null {
  return view ? { record: view.record, attempt: view.attempt } : null;
}

/**
 * Writes how a question ended whose workflow is closed: what that returned, or that it was lost. Returns what the store
 * has then; undefined if it does not know the question. What the store has settled already stays.
 *
 * @param tell - told the end: of what is lost before the store shows it, of anything else once it does
 */
export async function settleEnded(
  dependencies: SettlingDependencies,
  question: PlacedQuestion,
  end: QuestionEnd,
  tell: (view: LiveView) => Promise<void> = async () => undefined,
): Promise<LiveView | undefined> {
  const { store } = dependencies;
  const { id, space } = question;
  if (end.kind === 'settled') await writeOutcome(dependencies, question, end);
  const found = await store.findSuspension(id, space);
  if (found === undefined) return undefined;
  if (isSettled(found.record)) {
    await tell(found);
    return found;
  }
  if (end.kind === 'settled') return found;
  const record = lostRecord(found.record, toInstant(dependencies.now().getTime()));
  await tell({ ...found, state: 'settled', record });
  await store.settleSuspension(id, settlementOf(record), space);
  return store.findSuspension(id, space);
}

/** The rows that a question left to its intent are lost with it; the outcome is not. */
async function writeOutcome(
  { reconciliation, store }: SettlingDependencies,
  { id, space }: PlacedQuestion,
  { settlement, rows }: Extract<QuestionEnd, { kind: 'settled' }>,
): Promise<void> {
  await reconciliation.writeRows(rows, space);
  if ((await store.findSuspension(id, space)) === undefined) {
    const asked = await reconciliation.lookUp({ id, space });
    if (asked) await reconciliation.writeRows([openingRow(asked)], space);
  }
  const isOpen = (await store.findSuspension(id, space))?.state === 'pending';
  if (!isOpen) return;
  const row = { kind: 'suspension_settled', suspension_id: id, revision: OLDEST_REVISION } as const;
  await reconciliation.writeRows([{ ...row, settlement } satisfies JournalRow], space);
}
