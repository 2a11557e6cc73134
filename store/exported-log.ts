import { parseExact, whyUnread } from '../contracts/constants/exact-json.js';
import type { LogKind } from '../contracts/log/checkpoint.js';
import type { ChainBreak, ChainReport, ExportEnd } from '../contracts/intent/event.js';
import { exportEndSchema } from '../contracts/intent/event.js';
import { endCheck, checkEvent, startCheck, type ReadEvent } from '../domain/log/chain.js';

/** The lines are not an exported log; the message says why. */
export class NoLogError extends Error {
  override readonly name = 'NoLogError';
}

/** One line of an export. */
export type Line = Readonly<Record<string, unknown>>;

/** The result of checking one log. `intent_id` is the id of the log's owner, of any kind. */
export interface ExportedLog extends ChainReport {
  readonly kind: LogKind;
}

/**
 * Checks an exported log line by line; only one line is in memory.
 *
 * @param knownHash - hash of an event that the log must contain; everything before it is then proven
 * @throws NoLogError if a line is neither an event nor the end of a log, or there is no line
 */
export async function checkExport(
  lines: AsyncIterable<string>,
  knownHash?: string,
): Promise<ExportedLog> {
  let progress = startCheck();
  let end: ExportEnd['end_of_log'] | undefined;
  let isKnown = knownHash === undefined;
  let number = 0;
  let kind: LogKind = 'intent';
  for await (const text of lines) {
    number += 1;
    const line = lineOf(text, number) ?? {};
    if (end !== undefined) throw new NoLogError(`line ${number} comes after the end of the log`);
    if (number === 1) kind = kindOf(line);
    if (isEvent(line)) progress = checkEvent(progress, line);
    else end = endIn(line, progress.intent_id, number);
    isKnown ||= progress.head_hash === knownHash;
  }
  if (number === 0) throw new NoLogError('there is no line in it');
  const head = end && { sequence: end.last_sequence, event_hash: end.head_hash };
  const report = endCheck(progress, head, end?.refused);
  const next = report.last_sequence + 1;
  const cut = breakAt(next, 'The last line is not the end of a log: lines have been cut off.');
  const other = breakAt(next, 'No event has the given hash: the log was cut off or made anew.');
  const breaks = [...report.breaks, ...(end ? [] : [cut]), ...(isKnown ? [] : [other])];
  return { ...report, kind, breaks, chain_valid: breaks.length === 0 };
}

function breakAt(sequence: number, detail: string): ChainBreak {
  return { sequence, kind: 'missing', detail };
}

/** Returns the object on a line of an export; undefined for another value. Throws NoLogError for invalid JSON. */
export function lineOf(text: string, number: number): Line | undefined {
  let value: unknown;
  try {
    value = parseExact(text);
  } catch (error) {
    throw new NoLogError(`line ${number} ${whyUnread(error)}`);
  }
  return typeof value === 'object' && value !== null ? (value as Line) : undefined;
}

/** Returns the kind of a log by its first line. */
function kindOf(first: Line): LogKind {
  if ('suspension_id' in first) return 'suspension';
  const { event_type: type } = first;
  return typeof type === 'string' && type.startsWith('portfolio.') ? 'portfolio' : 'intent';
}

function isEvent(line: Line): line is ReadEvent {
  return Number.isSafeInteger(line['sequence']);
}

/** Returns the last line of a log, which must belong to the log of the events. */
function endIn(line: Line, intentId: string | null, number: number): ExportEnd['end_of_log'] {
  const { data } = exportEndSchema.safeParse(line);
  if (data === undefined) {
    throw new NoLogError(`line ${number} is neither an event nor the end of a log`);
  }
  const { intent_id, suspension_id } = data.end_of_log;
  if (intentId === null || (intent_id ?? suspension_id) === intentId) return data.end_of_log;
  throw new NoLogError(`line ${number} is the end of another log`);
}
