import type {
  ChainBreak,
  ChainBreakKind,
  ChainHead,
  ChainReport,
} from '../../contracts/intent/event.js';
import type { RefusedRow } from '../../contracts/log/journal.js';
import type { JsonObject } from '../../contracts/kernel/primitives.js';
import { ERASURE_EVENT } from '../../contracts/constants/erasure.js';
import { isObject } from '../kernel/message-form.js';
import { isErased, isIntact } from './seal.js';

const REPORTED = 100;

/** An event from a log that may have been changed. Only its sequence has a known type. */
export type ReadEvent = JsonObject & { readonly sequence: number };

/** The state of a check. `intent_id` is the owner of the log: an intent, a portfolio or a suspension. */
export interface ChainProgress {
  readonly intent_id: string | null;
  readonly event_count: number;
  readonly first_sequence: number | null;
  readonly last_sequence: number;
  readonly head_hash: string | null;
  /** First and last sequence of each run of missing events, which may still appear out of order. */
  readonly gaps: readonly (readonly [number, number])[];
  readonly breaks: readonly ChainBreak[];
  readonly erased_count: number;
  readonly erased: readonly number[];
  /** Erased events that no later event has declared yet. */
  readonly uncovered: readonly number[];
}

/**
 * Starts to check a log. Without an id, the first event identifies its owner.
 *
 * @param before - the event after which it begins; the log itself begins with event 1
 */
export function startCheck(
  intentId: string | null = null,
  { sequence, event_hash = null }: ChainHead = { sequence: 0 },
): ChainProgress {
  return {
    intent_id: intentId,
    event_count: 0,
    first_sequence: null,
    last_sequence: sequence,
    head_hash: event_hash,
    gaps: [],
    breaks: [],
    erased_count: 0,
    erased: [],
    uncovered: [],
  };
}

/** Checks the next event in the order in which the log is stored. */
export function checkEvent(before: ChainProgress, event: ReadEvent): ChainProgress {
  const progress = {
    ...before,
    intent_id: before.intent_id ?? logOf(event),
    event_count: before.event_count + 1,
    first_sequence: before.first_sequence ?? event.sequence,
  };
  const next = before.last_sequence + 1;
  const intact = isIntact(event);
  const sequence = intact ? event.sequence : numberOf(event, next);
  const stranger = intact && logOf(event) !== progress.intent_id;
  if (stranger || sequence < next) return broken(progress, misplaced(progress, sequence, stranger));
  const reached = {
    ...progress,
    ...(intact && erasureIn(progress, event, sequence)),
    last_sequence: sequence,
    head_hash: textOf(event['event_hash']),
    gaps: sequence > next ? [...before.gaps, [next, sequence - 1] as const] : before.gaps,
  };
  return broken(
    reached,
    sequence > next && missing(next, sequence),
    !intact && breakAt('changed', sequence, `Event ${sequence} is not as it was recorded.`),
    intact &&
      sequence === next &&
      event['previous_event_hash'] !== before.head_hash &&
      breakAt(
        'unlinked',
        sequence,
        `Event ${sequence} was recorded after another event ${next - 1}.`,
      ),
  );
}

/**
 * Ends a check.
 *
 * @param head - the recorded end of the log, if known
 * @param refused - what the store refused of the log
 */
export function endCheck(
  progress: ChainProgress,
  head?: ChainHead,
  refused: readonly ChainBreak[] = [],
): ChainReport {
  const { uncovered } = progress;
  const removed = uncovered.map((sequence) =>
    breakAt('removed', sequence, `Event ${sequence} has no payload, and no event says why.`),
  );
  const end = head && wrongEnd(progress, head);
  const { gaps: _, uncovered: _left, ...found } = broken(progress, ...removed, end, ...refused);
  return { ...found, chain_valid: found.breaks.length === 0 };
}

/** The breaks of a timeline whose details are missing, although the store knows of no erasure. */
export function unexplained({ erased }: ChainProgress): readonly ChainBreak[] {
  return erased.map((sequence) =>
    breakAt('removed', sequence, `Entry ${sequence} has no details, and nobody erased them.`),
  );
}

export function refusedBreak({ kind, sequence, reason }: RefusedRow): ChainBreak {
  const detail = `The store refused a row of the kind ${kind} (${reason}) and set it aside.`;
  return breakAt('refused', sequence ?? 0, detail);
}

/** A missing payload is no break if a later event declares it as erased. For a timeline the store declares that. */
function erasureIn(progress: ChainProgress, event: ReadEvent, sequence: number) {
  const { erased, erased_count, uncovered } = progress;
  if (isErased(event)) {
    const isOfTimeline = textOf(event['intent_id']) === null && textOf(event['run_id']) === null;
    const isFull = uncovered.length === REPORTED;
    return {
      erased_count: erased_count + 1,
      erased: [...erased, sequence].slice(0, REPORTED),
      uncovered: isOfTimeline || isFull ? uncovered : [...uncovered, sequence],
    };
  }
  const { event_type, payload } = event;
  const through = isObject(payload) ? payload['through_sequence'] : undefined;
  if (event_type !== ERASURE_EVENT || typeof through !== 'number') return {};
  return { uncovered: uncovered.filter((one) => one > through) };
}

/** The owner of an event's log. Entries of a timeline name their suspension, and those of a run the run. */
export function logOf(event: JsonObject): string | null {
  const { intent_id, suspension_id, run_id } = event;
  return textOf(intent_id) ?? textOf(suspension_id) ?? textOf(run_id);
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** Returns the sequence under which the event was hashed if only the sequence was changed, else its own. */
function numberOf(event: ReadEvent, next: number): number {
  return isIntact({ ...event, sequence: next }) ? next : event.sequence;
}

function breakAt(kind: ChainBreakKind, sequence: number, detail: string): ChainBreak {
  return { sequence, kind, detail };
}

function missing(from: number, found: number): ChainBreak {
  return breakAt('missing', from, `Event ${found} stands where event ${from} should.`);
}

function misplaced(progress: ChainProgress, sequence: number, stranger: boolean): ChainBreak {
  const last = progress.last_sequence;
  if (stranger) {
    return breakAt('unexpected', last + 1, `After event ${last} comes one of another intent.`);
  }
  return progress.gaps.some(([from, to]) => from <= sequence && sequence <= to)
    ? breakAt('out_of_order', sequence, `Event ${sequence} comes after event ${last}.`)
    : breakAt('unexpected', sequence, `After event ${last} comes another event ${sequence}.`);
}

function wrongEnd(progress: ChainProgress, head: ChainHead): ChainBreak | undefined {
  const { last_sequence: last, head_hash } = progress;
  if (last < head.sequence) {
    return breakAt('missing', last + 1, `The log ends with event ${last}, not ${head.sequence}.`);
  }
  if (last > head.sequence) {
    const first = head.sequence + 1;
    return breakAt('unexpected', first, `The log was recorded up to event ${head.sequence} only.`);
  }
  if (head.event_hash === undefined || head.event_hash === head_hash) return undefined;
  return breakAt('unlinked', last, `The log was recorded with another last event ${last}.`);
}

function broken(
  progress: ChainProgress,
  ...found: readonly (ChainBreak | false | undefined)[]
): ChainProgress {
  const news = found.filter((one) => typeof one === 'object');
  return { ...progress, breaks: [...progress.breaks, ...news].slice(0, REPORTED) };
}
