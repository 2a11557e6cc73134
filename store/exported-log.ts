import type { ChainBreak, ChainReport, ExportEnd } from '../contracts/event.js';
import { exportEndSchema } from '../contracts/event.js';
import { conclude, follow, unread, type ReadEvent } from '../domain/intent/event-chain.js';

/** The lines are not an exported log; the message says why. */
export class NoLogError extends Error {
  override readonly name = 'NoLogError';
}

type Line = Readonly<Record<string, unknown>>;

/**
 * Checks an exported log line by line, in the memory of one line.
 *
 * @param knownHash - hash of an event that the log must contain; everything before it is then proven
 * @throws NoLogError where a line is neither an event nor the end of a log, or there is no line
 */
export async function checkExport(
  lines: AsyncIterable<string>,
  knownHash?: string,
): Promise<ChainReport> {
  let progress = unread();
  let end: ExportEnd['end_of_log'] | undefined;
  let isKnown = knownHash === undefined;
  let number = 0;
  for await (const text of lines) {
    number += 1;
    const line = parsed(text, number);
    if (end !== undefined) throw new NoLogError(`line ${number} comes after the end of the log`);
    if (isEvent(line)) progress = follow(progress, line);
    else end = endIn(line, progress.intent_id, number);
    isKnown ||= progress.head_hash === knownHash;
  }
  if (number === 0) throw new NoLogError('there is no line in it');
  const head = end && { sequence: end.last_sequence, event_hash: end.head_hash };
  const report = conclude(progress, head);
  const next = report.last_sequence + 1;
  const cut = breakAt(next, 'The last line is not the end of a log: lines have been cut off.');
  const other = breakAt(next, 'No event has the given hash: the log was cut off or made anew.');
  const breaks = [...report.breaks, ...(end ? [] : [cut]), ...(isKnown ? [] : [other])];
  return { ...report, breaks, chain_valid: breaks.length === 0 };
}

function breakAt(sequence: number, detail: string): ChainBreak {
  return { sequence, kind: 'missing', detail };
}

function parsed(text: string, number: number): Line {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new NoLogError(`line ${number} is not JSON`);
  }
  return typeof value === 'object' && value !== null ? (value as Line) : {};
}

function isEvent(line: Line): line is ReadEvent {
  return Number.isSafeInteger(line['sequence']);
}

/** The last line of a log, which must belong to the same intent as the events. */
function endIn(line: Line, intentId: string | null, number: number): ExportEnd['end_of_log'] {
  const { data } = exportEndSchema.safeParse(line);
  if (data === undefined) {
    throw new NoLogError(`line ${number} is neither an event nor the end of a log`);
  }
  if (intentId === null || data.end_of_log.intent_id === intentId) return data.end_of_log;
  throw new NoLogError(`line ${number} is the end of another intent's log`);
}
