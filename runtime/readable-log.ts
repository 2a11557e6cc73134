import { pino, type DestinationStream } from 'pino';
import { visibleLine } from '../contracts/constants/visible-text.js';

const LEVELS: Readonly<Record<number, string>> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'WARN',
  50: 'ERROR',
  60: 'FATAL',
};
/** Fields that each line has, and that a person at the terminal knows. */
const KNOWN = new Set(['level', 'time', 'pid', 'hostname', 'msg']);

/**
 * Returns a line of a JSON log for people: `12:01:03 WARN api: store read failed code=ECONNREFUSED`. Other lines stay
 * as they are. Control characters of a terminal show as codes.
 * @param process - the name of the process that wrote it
 */
export function readable(line: string, process?: string): string {
  const entry = entryIn(line);
  const before = process === undefined ? '' : `${process}: `;
  if (entry === undefined) return visibleLine(`${before}${line}`);
  const { level, time, msg } = entry;
  const fields = Object.entries(entry)
    .filter(([name]) => !KNOWN.has(name))
    .map(([name, value]) => ` ${name}=${valueOf(value)}`);
  const name = LEVELS[Number(level)] ?? String(level);
  return visibleLine(`${clock(time)} ${name} ${before}${textOf(msg)}${fields.join('')}`);
}

/** Returns the level of a line of a JSON log; undefined for any other line. */
export function levelOf(line: string): number | undefined {
  const found = /^\{"level":(\d+),/.exec(line)?.[1];
  return found === undefined ? undefined : Number(found);
}

/** Returns a line of a JSON log with the name of the process that wrote it, as JSON. */
export function named(line: string, process: string): string {
  return `{"process":${JSON.stringify(process)},${line.slice(1)}`;
}

/**
 * Returns the stream of a process's log: JSON lines, or readable ones if a person watches. It uses no other thread.
 * @param sync - whether a line is written before the next step of the process
 */
export function logTo(
  stream: NodeJS.WriteStream & { readonly fd: number },
  { sync }: { readonly sync: boolean },
): DestinationStream {
  if (!stream.isTTY) return pino.destination({ dest: stream.fd, sync });
  return { write: (line) => void stream.write(`${readable(line.trimEnd())}\n`) };
}

function entryIn(line: string): Readonly<Record<string, unknown>> | undefined {
  if (levelOf(line) === undefined) return undefined;
  try {
    return JSON.parse(line) as Readonly<Record<string, unknown>>;
  } catch {
    return undefined;
  }
}

function clock(time: unknown): string {
  const at = new Date(typeof time === 'number' ? time : NaN);
  if (Number.isNaN(at.getTime())) return '--:--:--';
  return [at.getHours(), at.getMinutes(), at.getSeconds()]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Returns a single word as it is, everything else as JSON, so that it cannot look like a further field. */
function valueOf(value: unknown): string {
  return typeof value === 'string' && /^[^\s="{}]+$/.test(value) ? value : JSON.stringify(value);
}
