import type {
  ChainBreak,
  ChainBreakKind,
  ChainHead,
  ChainReport,
  IntentEvent,
} from '../../contracts/event.js';
import type { JsonObject } from '../../contracts/primitives.js';
import { hashJsonBase64Url } from '../kernel/hashing.js';

const REPORTED_BREAKS = 100;

/** An event before it gets its hashes. */
type UnsealedEvent = Omit<IntentEvent, 'previous_event_hash' | 'event_hash'>;

/** An event from a log that may have been changed. Only its sequence has a known type. */
export type ReadEvent = JsonObject & { readonly sequence: number };

/** The state of a check. */
interface ChainProgress {
  readonly intent_id: string | null;
  readonly event_count: number;
  readonly first_sequence: number | null;
  readonly last_sequence: number;
  readonly head_hash: string | null;
  /** First and last sequence of each run of missing events. They may still follow out of order. */
  readonly gaps: readonly (readonly [number, number])[];
  readonly breaks: readonly ChainBreak[];
}

/**
 * Returns the hash of an event as `sha256:<base64url>`: SHA-256 over the RFC 8785 canonical JSON of all
 * fields except `event_hash` (RFC-0019 §1.3).
 */
export function hashOfEvent(event: JsonObject): string {
  const { event_hash: _, ...rest } = event;
  return `sha256:${hashJsonBase64Url(rest)}`;
}

/**
 * Adds the hashes to an event.
 *
 * @param previousHash - hash of the event before it, null for the first
 */
export function sealEvent(event: UnsealedEvent, previousHash: string | null): IntentEvent {
  const linked = { ...event, previous_event_hash: previousHash };
  // JSON drops undefined and turns NaN into null. The hash has to cover what the store will contain.
  const plain = JSON.parse(JSON.stringify(linked)) as typeof linked;
  return { ...plain, event_hash: hashOfEvent(plain) };
}

/** Starts to check the log of an intent. Without an id, the first event names the intent. */
export function startCheck(intentId: string | null = null): ChainProgress {
  return {
    intent_id: intentId,
    event_count: 0,
    first_sequence: null,
    last_sequence: 0,
    head_hash: null,
    gaps: [],
    breaks: [],
  };
}

/** Checks the next event in the order in which the log is stored. */
export function checkEvent(before: ChainProgress, event: ReadEvent): ChainProgress {
  const progress = {
    ...before,
    intent_id: before.intent_id ?? textOf(event['intent_id']),
    event_count: before.event_count + 1,
    first_sequence: before.first_sequence ?? event.sequence,
  };
  const next = before.last_sequence + 1;
  const intact = isIntact(event);
  const sequence = intact ? event.sequence : numberOf(event, next);
  const stranger = intact && event['intent_id'] !== progress.intent_id;
  if (stranger || sequence < next) return broken(progress, misplaced(progress, sequence, stranger));
  const reached = {
    ...progress,
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
 * @param head - how the log ended when it was recorded, if that is known
 */
export function endCheck(progress: ChainProgress, head?: ChainHead): ChainReport {
  const { gaps: _, ...found } = broken(progress, head && wrongEnd(progress, head));
  return { ...found, chain_valid: found.breaks.length === 0 };
}

/** Checks a whole log. */
export function verifyChain(events: Iterable<ReadEvent>, head?: ChainHead): ChainReport {
  let progress = startCheck();
  for (const event of events) progress = checkEvent(progress, event);
  return endCheck(progress, head);
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function isIntact(event: ReadEvent): boolean {
  try {
    return event['event_hash'] === hashOfEvent(event);
  } catch {
    // The event contains what JSON cannot express, such as a number beyond the range of a double.
    return false;
  }
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
  if (news.length === 0) return progress;
  return { ...progress, breaks: [...progress.breaks, ...news].slice(0, REPORTED_BREAKS) };
}
