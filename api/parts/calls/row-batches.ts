import type { JournalRow } from '../../../contracts/log/journal.js';

/** So many batches of a space are written at once. A store that is far away takes as long for a large one as for a small one. */
const AT_ONCE = 4;
/** So many rows are one batch, unless one call has more. */
const MOST_ROWS = 200;

type Write = (rows: readonly JournalRow[]) => Promise<void>;

interface Waiting {
  readonly rows: readonly JournalRow[];
  readonly settle: (written: Promise<void>) => void;
}

/**
 * Returns a writer that takes together what comes while four batches are under way, so that many small writes need no more round trips to
 * the store than a few. Each call resolves or fails as its batch does.
 */
export function inBatches(write: Write): Write {
  const waiting: Waiting[] = [];
  let underWay = 0;

  /** Takes those that came first, as many as fit into a batch; at least one. */
  function nextBatch(): readonly Waiting[] {
    let count = 0;
    const beyond = waiting.findIndex(({ rows }, index) => {
      count += rows.length;
      return index > 0 && count > MOST_ROWS;
    });
    return waiting.splice(0, beyond === -1 ? waiting.length : beyond);
  }

  function begin(): void {
    if (underWay === AT_ONCE || waiting.length === 0) return;
    const batch = nextBatch();
    underWay += 1;
    const written = write(batch.flatMap(({ rows }) => rows)).finally(() => {
      underWay -= 1;
      begin();
    });
    for (const { settle } of batch) settle(written);
  }

  return (rows) =>
    new Promise<void>((resolve) => {
      waiting.push({ rows, settle: resolve });
      begin();
    });
}
