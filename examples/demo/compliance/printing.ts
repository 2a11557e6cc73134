import { columns, seconds, type StoryPrinter } from '../printing.js';

/** A row of the table that was seen, with milliseconds since the moment of asking. */
export interface SeenRow {
  readonly variant: string;
  readonly row: string;
  /** Seconds of the RFC, e.g. `T+3600`. */
  readonly time: string;
  readonly plannedMs: number | null;
  readonly actualMs: number;
  readonly says: string;
}

/** Where the compliance run tells its story. */
export interface RowPrinter extends StoryPrinter {
  row(seen: SeenRow): void;
}

type Write = (line: string) => void;

/** Rows as lines of text, beside what `story` prints. */
export function rowText(story: StoryPrinter, write: Write): RowPrinter {
  return {
    ...story,
    row: ({ row, time, plannedMs, actualMs, says }) => {
      const planned = plannedMs === null ? '' : seconds(plannedMs);
      write(columns(row, planned, seconds(actualMs), `${time.padEnd(9)} ${says}`));
    },
  };
}

/** Rows as JSON lines of the kind `row`. */
export function rowJson(story: StoryPrinter, write: Write): RowPrinter {
  return {
    ...story,
    row: ({ plannedMs, actualMs, ...seen }) => {
      const times = { planned_ms: plannedMs, actual_ms: actualMs };
      write(JSON.stringify({ kind: 'row', ...seen, ...times }));
    },
  };
}
