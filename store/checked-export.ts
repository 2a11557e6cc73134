import { parseExact, whyUnread } from '../contracts/constants/exact-json.js';
import {
  exportEndSchema,
  type ChainBreak,
  type ChainReport,
  type ExportEnd,
} from '../contracts/intent/event.js';
import {
  checkEvent,
  endCheck,
  logOf,
  startCheck,
  type ChainProgress,
  type ReadEvent,
} from '../domain/log/chain.js';
import {
  checkpointLeafSchema,
  checkpointSchema,
  publicKeySchema,
  type Checkpoint,
  type CheckpointLeaf,
  type LogKind,
} from '../contracts/log/checkpoint.js';
import { LeafTree, hashOfCheckpoint, signedBytes } from '../domain/log/checkpoint.js';
import { createPublicKey, verify } from 'node:crypto';

/** The lines are not an exported log; the message says why. */
export class NoLogError extends Error {
  override readonly name = 'NoLogError';
}

type Line = Readonly<Record<string, unknown>>;

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
function lineOf(text: string, number: number): Line | undefined {
  let value: unknown;
  try {
    value = parseExact(text);
  } catch (error) {
    throw new NoLogError(`line ${number} ${whyUnread(error)}`);
  }
  return typeof value === 'object' && value !== null ? (value as Line) : undefined;
}

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

export interface ExportFault {
  /**
   * `removed`: the log is missing. `truncated`: it ends too soon. `rewritten`: it differs from the signed log.
   * `unlisted`: the list of logs differs from the signed one. `cut_off`: the file has no end.
   */
  readonly kind: 'removed' | 'truncated' | 'rewritten' | 'unlisted' | 'cut_off';
  readonly detail: string;
}

export interface ExportReport {
  /** The logs that match what was signed. */
  readonly proven: number;
  /** The logs that retention had removed before the checkpoint. */
  readonly retired: number;
  readonly events: number;
  /** The first hundred. */
  readonly faults: readonly ExportFault[];
}

const REPORTED = 100;

interface LogInHand {
  readonly leaf: CheckpointLeaf | undefined;
  /** The number of faults found before it. */
  readonly faults: number;
  progress: ChainProgress;
}

/** Checks the lines of an export one by one. It keeps the list of logs and one event in memory. */
class ExportCheck {
  private readonly tree = new LeafTree();
  /** The logs not seen yet, by kind and id. */
  private readonly waiting = new Map<string, CheckpointLeaf>();
  private readonly faults: ExportFault[] = [];
  private readonly checkpoint: Checkpoint;
  private log: LogInHand | undefined;
  private counts = { proven: 0, retired: 0, events: 0 };
  private ended = false;

  constructor(checkpoint: Checkpoint) {
    this.checkpoint = checkpoint;
  }

  take(line: Line, number: number): void {
    if (this.ended) throw new NoLogError(`line ${number} comes after the end of the export`);
    if (Number.isSafeInteger(line['sequence'])) this.takeEvent(line as ReadEvent);
    else if ('leaf' in line) this.takeLeaf(line['leaf'], number);
    else if ('end_of_log' in line) this.endLog();
    else if ('end_of_export' in line) this.ended = true;
    else throw new NoLogError(`line ${number} is no part of an export of all logs`);
  }

  get report(): ExportReport {
    this.endLog();
    const { number, tree_size, root_hash } = this.checkpoint;
    if (this.tree.size !== tree_size || this.tree.rootHash !== root_hash) {
      const signed = `checkpoint ${number} was signed over ${tree_size} logs`;
      this.fault(
        'unlisted',
        `The list of ${this.tree.size} logs is not the signed one: ${signed}.`,
      );
    }
    for (const { kind, id } of this.waiting.values()) {
      this.fault('removed', `The log of ${kind} ${id} is not there.`);
    }
    if (!this.ended) this.fault('cut_off', 'The export has no end: lines have been cut off.');
    return { ...this.counts, faults: this.faults };
  }

  private takeLeaf(value: unknown, number: number): void {
    const { data: leaf } = checkpointLeafSchema.safeParse(value);
    if (leaf === undefined) throw new NoLogError(`line ${number} is not the end of a log`);
    if (!this.tree.add(leaf)) {
      this.fault('unlisted', `The list of logs is out of order at line ${number}.`);
    }
    if (leaf.removed) this.counts.retired += 1;
    else this.waiting.set(keyOf(leaf), leaf);
  }

  private takeEvent(event: ReadEvent): void {
    const id = logOf(event);
    if (this.log?.progress.intent_id !== id) this.beginLog(event, id);
    const { log } = this;
    if (log === undefined) return;
    this.counts.events += 1;
    log.progress = checkEvent(log.progress, event);
    const { leaf } = log;
    if (leaf?.sequence !== event.sequence || leaf.head_hash === event['event_hash']) return;
    const { kind, sequence } = leaf;
    this.fault(
      'rewritten',
      `Event ${sequence} of ${kind} ${leaf.id} is not the one that was signed.`,
    );
  }

  private beginLog(event: ReadEvent, id: string | null): void {
    this.endLog();
    const kinds = 'suspension_id' in event ? ['suspension'] : ['intent', 'portfolio'];
    const key = kinds.map((kind) => keyOf({ kind, id: id ?? '' })).find((k) => this.waiting.has(k));
    const leaf = key === undefined ? undefined : this.waiting.get(key);
    this.log = { leaf, faults: this.faults.length, progress: startCheck(id) };
    if (key !== undefined) this.waiting.delete(key);
  }

  private endLog(): void {
    const { log, faults } = this;
    this.log = undefined;
    if (log?.leaf === undefined) return;
    const { kind, id, sequence } = log.leaf;
    const { breaks, last_sequence } = endCheck(log.progress);
    const [first] = breaks;
    if (first)
      this.fault('rewritten', `${kind} ${id}: ${first.kind} at ${first.sequence}: ${first.detail}`);
    if (last_sequence < sequence) {
      const ends = `The log of ${kind} ${id} ends with event ${last_sequence}`;
      this.fault('truncated', `${ends}, and was signed up to event ${sequence}.`);
    }
    if (faults.length === log.faults) this.counts.proven += 1;
  }

  private fault(kind: ExportFault['kind'], detail: string): void {
    if (this.faults.length < REPORTED) this.faults.push({ kind, detail });
  }
}

/**
 * Checks an export of all logs against a checkpoint with a verified signature: every log in it must be there,
 * complete, and as signed.
 * @throws NoLogError if a line is no part of such an export
 */
export async function checkWholeExport(
  lines: AsyncIterable<string>,
  checkpoint: Checkpoint,
): Promise<ExportReport> {
  const check = new ExportCheck(checkpoint);
  let number = 0;
  for await (const text of lines) {
    number += 1;
    const line = lineOf(text, number);
    if (line === undefined) throw new NoLogError(`line ${number} is not a JSON object`);
    check.take(line, number);
  }
  return check.report;
}

function keyOf({ kind, id }: { readonly kind: string; readonly id: string }): string {
  return `${kind} ${id}`;
}

/** The checkpoints prove nothing; the message says why. */
export class CheckpointError extends Error {
  override readonly name = 'CheckpointError';
}

export interface CheckedCheckpoints {
  readonly checkpoint: Checkpoint;
  readonly count: number;
  /** The number of the first one. The chain is proven from there on. */
  readonly first: number;
}

/** Whether a text is a public key of the form `ed25519:<base64url>`. */
export function isPublicKey(text: string): boolean {
  return publicKeySchema.safeParse(text).success;
}

/**
 * Checks a file of checkpoints, one per line: the form and signature of each, and that each covers the one before.
 * The file may begin with any checkpoint and repeat one.
 *
 * @param keys - the trusted public keys
 * @throws CheckpointError with the first line that is wrong
 */
export function checkCheckpoints(text: string, keys: readonly string[]): CheckedCheckpoints {
  const seen: Checkpoint[] = [];
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  for (const [index, line] of lines.entries()) {
    const checkpoint = checkpointIn(line, index + 1);
    demandSignature(checkpoint, keys);
    const last = seen.at(-1);
    if (last !== undefined && hashOfCheckpoint(last) === hashOfCheckpoint(checkpoint)) continue;
    if (last !== undefined) demandLink(last, checkpoint);
    seen.push(checkpoint);
  }
  const [first] = seen;
  const checkpoint = seen.at(-1);
  if (first === undefined || checkpoint === undefined) {
    throw new CheckpointError('there is no checkpoint in the file');
  }
  if (first.number === 1 && first.previous_hash !== null) {
    throw new CheckpointError('checkpoint 1 names another before it');
  }
  return { checkpoint, count: seen.length, first: first.number };
}

function checkpointIn(line: string, number: number): Checkpoint {
  let value: unknown;
  try {
    value = parseExact(line);
  } catch (error) {
    throw new CheckpointError(`line ${number} ${whyUnread(error)}`);
  }
  const { data } = checkpointSchema.safeParse(value);
  if (data === undefined) throw new CheckpointError(`line ${number} is no checkpoint`);
  return data;
}

function demandSignature(checkpoint: Checkpoint, keys: readonly string[]): void {
  const { number, public_key, signature } = checkpoint;
  if (!keys.includes(public_key)) {
    throw new CheckpointError(`checkpoint ${number} is signed with another key, ${public_key}`);
  }
  const x = public_key.slice('ed25519:'.length);
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  if (verify(null, signedBytes(checkpoint), key, Buffer.from(signature, 'base64url'))) return;
  throw new CheckpointError(`checkpoint ${number} is not as it was signed`);
}

function demandLink(before: Checkpoint, next: Checkpoint): void {
  if (next.number !== before.number + 1) {
    throw new CheckpointError(
      `after checkpoint ${before.number} comes ${next.number}: others were removed`,
    );
  }
  if (next.previous_hash === hashOfCheckpoint(before)) return;
  throw new CheckpointError(
    `checkpoint ${next.number} was signed after another checkpoint ${before.number}`,
  );
}
