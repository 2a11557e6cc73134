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

/** An event before it takes its place in the chain. */
type UnsealedEvent = Omit<IntentEvent, 'previous_event_hash' | 'event_hash'>;

/** An event as it was read, of which only the number can be relied on. */
export type ReadEvent = JsonObject & { readonly sequence: number };

/** How far a check has come. */
interface ChainProgress {
  readonly intent_id: string | null;
  readonly event_count: number;
  readonly first_sequence: number | null;
  readonly last_sequence: number;
  readonly head_hash: string | null;
  /** First and last number of each run of events that were not there in time. */
  readonly gaps: readonly (readonly [number, number])[];
  readonly breaks: readonly ChainBreak[];
}

/**
 * The hash of an event: SHA-256 over the RFC 8785 canonical JSON of all its fields but `event_hash`, as
 * `sha256:<base64url>` (RFC-0019 §1.3).
 */
export function hashOfEvent(event: JsonObject): string {
  const { event_hash: _, ...rest } = event;
  return `sha256:${hashJsonBase64Url(rest)}`;
}

/**
 * The event as JSON carries it, with its place in the chain; `previousHash` is the hash of the event
 * before it, null for the first.
 */
export function sealEvent(event: UnsealedEvent, previousHash: string | null): IntentEvent {
  const linked = { ...event, previous_event_hash: previousHash };
  // What JSON has no word for (undefined, NaN) is gone before it is hashed, as it is when it is stored.
  const plain = JSON.parse(JSON.stringify(linked)) as typeof linked;
  return { ...plain, event_hash: hashOfEvent(plain) };
}

/** A check that has read nothing yet; of the given intent's log, or of that of the first event. */
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

/** Takes in the next event of a log, in the order in which it is kept. */
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

/** Ends a check; `head` is how the log ended when it was recorded, where that is known. */
export function endCheck(progress: ChainProgress, head?: ChainHead): ChainReport {
  const { gaps: _, ...found } = broken(progress, head && wrongEnd(progress, head));
  return { ...found, chain_valid: found.breaks.length === 0 };
}

/** Checks a whole log at once. */
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
    // Read back as something that JSON cannot say, such as a number beyond a double's range.
    return false;
  }
}

/** The number under which an event was hashed, where only that was changed; else the one it has. */
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
