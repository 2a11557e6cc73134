import { patched } from '@temporalio/workflow';
import type { ApprovalPart } from '../../contracts/approval.js';
import { WORKFLOW_LIMITS } from '../../contracts/constants/limits.js';
import type { Vote } from '../../contracts/decision.js';
import type { JournalRow, RowOf } from '../../contracts/journal.js';
import type { JsonObject } from '../../contracts/primitives.js';
import type { Refusal } from '../../contracts/problem.js';
import type { ScheduledAttempt } from '../../contracts/retry-policy.js';
import type { LiveView } from '../../contracts/suspension-view.js';
import type {
  SettledRecord,
  TimelineEntry,
  TimelineKind,
  TimelineSeal,
} from '../../contracts/suspension.js';
import { editTrace } from '../../domain/approval/edit-trace.js';
import { payloadSalt } from '../../domain/intent/event-seal.js';
import { toInstant } from '../../domain/kernel/time.js';
import type { Answer, Judgement } from '../../domain/suspension/answer.js';
import { claimOfOther } from '../../domain/suspension/claim.js';
import { versionOf } from '../../domain/suspension/decision.js';
import { erasedEntry } from '../../domain/suspension/erasure.js';
import { notesIn, withNotesInPlace } from '../../domain/suspension/notes.js';
import { amendedPart, countedIn, settlementOf } from '../../domain/suspension/state.js';
import type { KeyedVote, SuspensionState } from '../../domain/suspension/state.js';
import { sealTimelineEntry } from '../../domain/suspension/timeline-seal.js';
import { now } from '../engine/clock.js';
import type { Journal, PendingRows, RowSource } from '../engine/journal.js';
import type { LogEnd, LogStart } from '../engine/messages.js';
import type { SuspensionInput } from './messages.js';

/**
 * Entries that go as planned. The store gets them with the next row that a list shows, which saves a write or two
 * for each question. Reads of one that is open ask its workflow.
 */
const AS_PLANNED: readonly TimelineKind[] = ['opened', 'attempt', 'attempt_skipped', 'delivered'];

/** The timeline keeps what an edit changes, and the notes with the votes that it ends. A run without this patch has kept neither. */
const KEEPS_EDITS = 'holdpoint-keeps-edits';

type Unnumbered = Omit<TimelineEntry, 'sequence'>;

/** A timeline that outlives a run: its entries, and the hash of the last one. */
export interface CarriedTimeline {
  readonly timeline: readonly TimelineEntry[];
  readonly timeline_head?: string | null;
}

type TimelineRow = RowOf<'timeline'> & { readonly seal: TimelineSeal };

/**
 * What happened to one suspension, in order; each entry goes to the store as well, linked to the one before. Entries
 * get their numbers and hashes when they are written, those that go as planned first.
 */
export class Timeline implements RowSource {
  private numbered: TimelineEntry[];
  private forgotten = false;
  private readonly suspensionId: string;
  private readonly key: string;
  private head: string | null;
  private planned: Unnumbered[] = [];
  private urgent: Unnumbered[] = [];
  /** The rows of the entries without a number, until another is added. */
  private sealed: readonly TimelineRow[] | undefined;

  constructor(
    suspensionId: string,
    { log_key = suspensionId }: LogStart,
    carried?: CarriedTimeline,
  ) {
    this.numbered = [...(carried?.timeline ?? [])];
    this.suspensionId = suspensionId;
    this.key = log_key;
    this.head = carried?.timeline_head ?? null;
  }

  get entries(): readonly TimelineEntry[] {
    return [...this.numbered, ...this.unnumbered];
  }

  /** With the entries that are not written yet: the journal carries their rows. */
  get carried(): CarriedTimeline {
    const timeline_head = this.rows.at(-1)?.seal.event_hash ?? this.head;
    return { timeline: this.entries, timeline_head };
  }

  /** How the timeline ends, without entries that have no number yet. */
  get end(): LogEnd {
    return { last_sequence: this.numbered.length, head_hash: this.head };
  }

  get pending(): PendingRows {
    const { length } = this.planned;
    return { planned: this.rows.slice(0, length), urgent: this.rows.slice(length) };
  }

  taken(): void {
    this.head = this.rows.at(-1)?.seal.event_hash ?? this.head;
    this.numbered.push(...this.unnumbered);
    this.planned = [];
    this.urgent = [];
    this.sealed = undefined;
  }

  count(kind: TimelineKind): number {
    return this.entries.filter((entry) => entry.kind === kind).length;
  }

  add(kind: TimelineKind, detail: JsonObject, at = toInstant(now())): void {
    const entries = AS_PLANNED.includes(kind) ? this.planned : this.urgent;
    entries.push({ at, kind, detail: this.forgotten ? {} : detail });
    this.sealed = undefined;
  }

  /** Keeps what happened and when, from now on, and nothing else. */
  forget(): void {
    this.forgotten = true;
    this.numbered = this.numbered.map(erasedEntry);
    this.planned = this.planned.map(erasedEntry);
    this.urgent = this.urgent.map(erasedEntry);
    this.sealed = undefined;
  }

  /** The latest entries, under the numbers that they get if nothing else is added. */
  private get unnumbered(): readonly TimelineEntry[] {
    const next = this.numbered.length + 1;
    const added = [...this.planned, ...this.urgent];
    return added.map((entry, index) => ({ sequence: next + index, ...entry }));
  }

  private get rows(): readonly TimelineRow[] {
    if (this.sealed) return this.sealed;
    const rows: TimelineRow[] = [];
    for (const entry of this.unnumbered) {
      const previous = rows.at(-1)?.seal.event_hash ?? this.head;
      const salt = payloadSalt(this.key, entry.sequence);
      const seal = sealTimelineEntry(this.suspensionId, entry, previous, salt);
      rows.push({ kind: 'timeline', suspension_id: this.suspensionId, entry, seal });
    }
    this.sealed = rows;
    return rows;
  }
}

/**
 * The rows that a settled question leaves to another. Where it is not the first delivery that writes the opening, who
 * asked has written it, or who misses it does.
 */
export function leftRows(
  journal: Journal,
  { opening_by_delivery }: Pick<SuspensionInput, 'opening_by_delivery'>,
): readonly JournalRow[] {
  const rows = journal.release(WORKFLOW_LIMITS.handedOverBytes);
  return opening_by_delivery ? rows : rows.filter(({ kind }) => kind !== 'suspension_opened');
}

/** What the timeline says of who asked; a workflow that waits is named, for who would tell it the outcome. */
export function openedDetail({
  intent_id,
  subject_workflow_id,
  asked_by,
  findings,
}: Pick<
  SuspensionInput,
  'intent_id' | 'subject_workflow_id' | 'asked_by' | 'findings'
>): JsonObject {
  const agent = intent_id === null ? subject_workflow_id : null;
  const { warnings } = findings ?? {};
  return {
    asked_by,
    ...(agent !== null && { workflow_id: agent }),
    ...(warnings && { warnings }),
  };
}

/** What the timeline says of an attempt. */
export function attemptDetail({ attempt, at, channel_hint, notify_to }: ScheduledAttempt) {
  return { attempt, due_at: at, channel_hint, notify_to };
}

/** What happened, for the timeline. */
export type Happening = readonly [kind: TimelineKind, detail: JsonObject];

/**
 * What the timeline says of an answer that counts: what it edited, if it did, and what it led to. Somebody else may have
 * claimed the question when it came, at an instant (ms).
 */
export function answered(
  answer: Answer,
  before: SuspensionState,
  { state, verdict, accepted }: Judgement,
  at: number,
): readonly Happening[] {
  const other = claimOfOther(before, answer, at)?.holder;
  const detail = {
    responded_by: answer.responded_by,
    submitted_by: answer.by.principal,
    ...(other !== undefined && { despite_claim_of: other }),
  };
  const edited = editedDetail(before, state.record.approval);
  const edit: readonly Happening[] = edited ? [['proposal_edited', { ...detail, ...edited }]] : [];
  // It ends the timeline, so nothing has to carry it further. What comes with a vote stands with the vote.
  const { comment } = notesIn(withNotesInPlace(answer));
  const why = comment === undefined ? {} : { comment };
  if (verdict === 'settled') return [...edit, ['answer_accepted', { ...detail, ...why }]];
  const { value, approvals = 0, required = 1 } = accepted.result;
  return [...edit, ['vote_counted', { ...detail, value, approvals, required }]];
}

function editedDetail(
  { record: { approval: before }, votes = [] }: SuspensionState,
  after?: ApprovalPart,
): JsonObject | undefined {
  if (!before || !after || before.proposal_hash === after.proposal_hash) return undefined;
  const { version, risk_class } = after.proposal;
  const { proposal_hash: previous_hash } = before;
  const trace = patched(KEEPS_EDITS) ? editTrace(before, after, votes.map(voteIn)) : {};
  return { version, risk_class, previous_hash, proposal_hash: after.proposal_hash, ...trace };
}

function voteIn({ vote }: KeyedVote): Vote {
  return vote;
}

/** An entry is sealed, and a replay has to seal the same: its words stay, also where callers are told better ones. */
function sealedWords({ code, detail, state }: Refusal): string {
  const resolution = state?.['resolution'];
  const isEnded = code === 'suspension_settled' && typeof resolution === 'string';
  return isEnded ? `The question is already ${resolution}.` : detail;
}

/** What the timeline says of an answer that did not count. */
export function rejectionOf(refusal: Refusal, { responded_by, by }: Partial<Answer>): JsonObject {
  return {
    code: refusal.code,
    message: sealedWords(refusal),
    ...(responded_by !== undefined && { responded_by }),
    ...(by !== undefined && { submitted_by: by.principal }),
  };
}

/**
 * The row that says how far a question has come that is open; a lower revision never overwrites a higher. The store keeps
 * what an amendment has replaced, so a row needs it only until the store has it.
 */
export function progressRow(
  state: SuspensionState,
  { id, attempt, max_attempts, next_attempt_at, comment_count = 0 }: LiveView,
  revision: number,
  hasAmended = true,
): RowOf<'suspension_progress'> {
  const { eligibility, record, claim, delegates } = state;
  const isEdited = versionOf(record) > 1;
  const amended = hasAmended ? amendedPart(record) : undefined;
  return {
    kind: 'suspension_progress',
    suspension_id: id,
    revision,
    attempt,
    max_attempts,
    next_attempt_at,
    ...countedIn(state),
    ...(eligibility && { eligibility }),
    ...(record.approval && isEdited && { approval: record.approval }),
    ...(claim && { claim }),
    ...(comment_count > 0 && { comment_count }),
    ...(delegates && { delegates }),
    ...(amended && { amended }),
  };
}

/** The row of a settled question; a lower revision never overwrites a higher. */
export function settledRow(
  {
    record,
    accepted,
    votes,
  }: Pick<SuspensionState, 'accepted' | 'votes'> & {
    readonly record: SettledRecord;
  },
  revision: number,
): JournalRow {
  return {
    kind: 'suspension_settled',
    suspension_id: record.id,
    revision,
    settlement: settlementOf(record),
    ...(accepted && { answer: accepted.answer }),
    ...(votes && { answers: votes.map(({ answer }) => answer) }),
  };
}
