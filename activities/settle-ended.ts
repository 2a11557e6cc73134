import type { EntityKey } from '../contracts/kernel/primitives.js';
import type { JournalRow } from '../contracts/log/journal.js';
import type { StoredInput } from '../contracts/suspension/requests.js';
import type { LiveView } from '../contracts/suspension/view.js';
import { toInstant } from '../domain/kernel/time.js';
import { openingRow } from '../domain/suspension/record/opening-row.js';
import { isSettled, lostRecord, settlementOf } from '../domain/suspension/record/state.js';
import type { QuestionEnd, Reconciliation } from './ports/reconciliation.js';
import type { ActivityStore } from './ports/store.js';

const OLDEST_REVISION = 0;

export interface SettlingDependencies {
  readonly store: Pick<ActivityStore, 'findSuspension' | 'settleSuspension'>;
  readonly reconciliation: Pick<Reconciliation, 'endOf' | 'lookUp' | 'writeRows'>;
  readonly now: () => Date;
}

/**
 * Ends a question whose workflow is gone, so that nobody waits for ever: with the workflow's result, the store's
 * state, or as cancelled by the system. An open question is returned as it is; null if nobody knows it.
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
 * Writes the end of a question whose workflow is closed; a settled one stays as it is. Returns it as stored then;
 * undefined if the store does not know it.
 *
 * @param tell - called with the end: before the store shows it if the question is lost, else afterwards
 */
export async function settleEnded(
  dependencies: SettlingDependencies,
  question: EntityKey,
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

/** Writes the result of a question. Rows that it left to its intent may be lost; the outcome is not. */
async function writeOutcome(
  { reconciliation, store }: SettlingDependencies,
  { id, space }: EntityKey,
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
