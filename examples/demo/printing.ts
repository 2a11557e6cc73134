import type { IntentEvent } from '../../contracts/intent/event.js';
import type { JsonObject, JsonValue } from '../../contracts/kernel/primitives.js';

/** A line of an intent's log, with the milliseconds since the moment of asking. */
export interface LoggedLine {
  readonly order: string;
  readonly event: IntentEvent;
  readonly plannedMs: number | undefined;
  readonly actualMs: number | undefined;
}

/** What every story of the demo tells. */
export interface StoryPrinter {
  /** `what` names the first and the last column. */
  header(lines: readonly string[], what: readonly [string, string]): void;
  /** Something that happened beside the logs. */
  note(text: string): void;
  verdict(difference: string | undefined, text: string): void;
}

/** Where the demo tells its story. */
export interface Printer extends StoryPrinter {
  logged(line: LoggedLine): void;
}

type Write = (line: string) => void;

export function textPrinter(write: Write): Printer {
  return {
    header: (lines, [first, last]) =>
      [...lines, '', columns(first, 'planned', 'actual', last)].forEach(write),
    note: (text) => write(columns('', '', '', `· ${text}`)),
    logged({ order, event, plannedMs, actualMs }) {
      const what = `${event.event_type.padEnd(30)} ${gist(event.payload)}`.trimEnd();
      write(columns(order, seconds(plannedMs), seconds(actualMs), what));
    },
    verdict: (_difference, text) => ['', text].forEach(write),
  };
}

/** The same as JSON lines, distinguished by `kind`. */
export function jsonPrinter(write: Write): Printer {
  const put = (fields: object): void => write(JSON.stringify(fields));
  return {
    header: (lines) => put({ kind: 'header', text: lines.join(' ') }),
    note: (text) => put({ kind: 'note', text }),
    logged({ order, event, plannedMs, actualMs }) {
      const times = { planned_ms: plannedMs ?? null, actual_ms: actualMs ?? null };
      put({ kind: 'event', order, ...times, event });
    },
    verdict: (difference, text) =>
      put({ kind: 'verdict', ok: difference === undefined, difference: difference ?? null, text }),
  };
}

/** A line of the text form: two times between a name and what happened. */
export function columns(order: string, planned: string, actual: string, rest: string): string {
  return `${order.padEnd(6)} ${planned.padStart(8)} ${actual.padStart(8)}  ${rest}`;
}

/** Milliseconds as `1.2 s`. */
export function seconds(ms: number | undefined): string {
  return ms === undefined ? '' : `${(ms / 1_000).toFixed(1)} s`;
}

const SHOWN = [
  'attempt',
  'channel_hint',
  'notify_to',
  'escalated_to',
  'value',
  'responded_by',
  'reason',
  'fallback_value',
  'status',
];

function gist(payload: JsonObject): string {
  return SHOWN.filter((name) => (payload[name] ?? null) !== null)
    .map((name) => `${name}=${textOf(payload[name])}`)
    .join(' ');
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
