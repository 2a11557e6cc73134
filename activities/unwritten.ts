import type { EntityKey } from '../contracts/kernel/primitives.js';
import { toInstant } from '../domain/kernel/time.js';
import type { Reconciliation } from './ports/reconciliation.js';
import { GRACE_MS, OVERLAP_MS } from './reconcile.js';

/** What a look reads, and a function that returns what the store lacks of each page. */
type Part = readonly [
  pages: AsyncIterable<readonly EntityKey[]>,
  ...lacking: readonly ((page: readonly EntityKey[]) => Promise<readonly EntityKey[]>)[],
];

/**
 * Whether the reconciler would find anything of the last minutes: something the store lacks, or that Temporal has
 * forgotten. Only lists and reads: it costs no action, and changes nothing.
 */
export async function isAnythingUnwritten(
  reconciliation: Reconciliation,
  now: Date,
): Promise<boolean> {
  const to = now.getTime() - GRACE_MS;
  const range = { from: toInstant(to - OVERLAP_MS), to: toInstant(to) };
  // Temporal lists a workflow as running for a short time after it ended.
  const endedThen = (page: readonly EntityKey[]) => forgotten.settledOf(page, range.to);
  const movedThen = (page: readonly EntityKey[]) => intentsBehind(page, range.to);
  const { runningSince, endedIn, notCreated, notOpened, notSettled, intentsBehind } =
    reconciliation;
  const { approvals, forgotten, entities } = reconciliation;
  const parts: readonly Part[] = [
    [runningSince('intent', range), notCreated],
    [runningSince('suspension', range), notOpened, movedThen, endedThen],
    [endedIn(range), notSettled, movedThen],
    [runningSince('approval', range), approvals.notKnown],
    [approvals.endedIn(range), approvals.notDecided],
    [forgotten.settledIn(range), forgotten.runningOf],
    [forgotten.contradicted(range), async (page) => page],
  ];
  for (const [pages, ...lacking] of parts) {
    for await (const page of pages) {
      for (const lacks of lacking) if ((await lacks(page)).length > 0) return true;
    }
  }
  for await (const page of entities.endedIn(range)) {
    if ((await entities.stillOpen(page)).length > 0) return true;
  }
  return false;
}
