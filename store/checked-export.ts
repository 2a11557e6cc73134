import { checkpointLeafSchema } from '../contracts/log/checkpoint.js';
import type { Checkpoint, CheckpointLeaf } from '../contracts/log/checkpoint.js';
import { checkEvent, endCheck, logOf, startCheck } from '../domain/log/chain.js';
import type { ChainProgress, ReadEvent } from '../domain/log/chain.js';
import { LeafTree } from '../domain/log/checkpoint.js';
import { NoLogError, lineOf } from './exported-log.js';
import type { Line } from './exported-log.js';

/** A fault of one log in an export, or of the whole export. */
export interface ExportFault {
  /**
   * `removed`: the log is missing. `truncated`: it ends too soon. `rewritten`: it differs from the signed log.
   * `unlisted`: the list of logs differs from the signed one. `cut_off`: the file has no end.
   */
  readonly kind: 'removed' | 'truncated' | 'rewritten' | 'unlisted' | 'cut_off';
  readonly detail: string;
}

/** The result of checking an export of all logs with a log checkpoint. */
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

/** The log whose events are being read. */
interface LogInHand {
  readonly leaf: CheckpointLeaf | undefined;
  /** The number of faults before it. */
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
 * Checks an export of all logs against a checkpoint with a verified signature: every log that it covers must be there,
 * complete, and as it was signed.
 *
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
