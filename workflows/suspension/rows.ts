import type { ApprovalPart } from '../../contracts/approval/approval.js';
import { defined } from '../../contracts/constants/defined.js';
import type { Vote } from '../../contracts/suspension/decision.js';
import type { JournalRow, RowOf } from '../../contracts/log/journal.js';
import type { JsonObject } from '../../contracts/kernel/primitives.js';
import type { Refusal } from '../../contracts/kernel/problem.js';
import type { ScheduledAttempt } from '../../contracts/suspension/retry-policy.js';
import type { LiveView } from '../../contracts/suspension/view.js';
import type {
  SettledRecord,
  TimelineEntry,
  TimelineKind,
} from '../../contracts/suspension/suspension.js';
import { editTrace } from '../../domain/approval/proposal/edits.js';
import { payloadSalt, sealTimelineEntry } from '../../domain/log/seal.js';
import { toInstant } from '../../domain/kernel/time.js';
import type { Answer, Judgement } from '../../domain/suspension/answering/answer.js';
import { claimOfOther } from '../../domain/suspension/people/claim.js';
import { versionOf } from '../../domain/suspension/answering/decision.js';
import { erasedEntry } from '../../domain/suspension/record/erasure.js';
import {
  amendedPart,
  countedIn,
  settlementOf,
  type KeyedVote,
  type SuspensionState,
} from '../../domain/suspension/record/state.js';
import { now } from '../engine/clock.js';
import type { RowSource } from '../engine/journal.js';
import type { LogEnd, LogStart } from '../engine/messages.js';
import { addedToLog } from '../engine/task-mark.js';
import type { SuspensionInput } from './messages.js';

/**
 * Entries that are written with the next row that a list shows, which saves writes: readers of an open question ask
 * its workflow.
 */
const AS_PLANNED: readonly TimelineKind[] = ['opened', 'attempt', 'attempt_skipped', 'delivered'];

type Unnumbered = Omit<TimelineEntry, 'sequence'>;

/** A timeline that outlives a run: its entries, and the hash of the last one. */
export interface CarriedTimeline {
  readonly timeline: readonly TimelineEntry[];
  readonly timeline_head?: string | null;
}

type TimelineRow = RowOf<'timeline'>;

/**
 * The history of one suspension, in order. Each entry is written to the store, linked to the one before. Entries get
 * their numbers and hashes when they are written, those of `AS_PLANNED` first.
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

  /** Includes the entries that are not written yet; the journal has their rows. */
  get carried(): CarriedTimeline {
    const timeline_head = this.rows.at(-1)?.seal.event_hash ?? this.head;
    return { timeline: this.entries, timeline_head };
  }

  /** The end of the timeline, without entries that have no number yet. */
  get end(): LogEnd {
    return { last_sequence: this.numbered.length, head_hash: this.head };
  }

  get pending(): RowSource['pending'] {
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
    const mayWait = AS_PLANNED.includes(kind);
    if (!mayWait) addedToLog();
    const entries = mayWait ? this.planned : this.urgent;
    entries.push({ at, kind, detail: this.forgotten ? {} : detail });
    this.sealed = undefined;
  }

  /** Keeps only what happened and when, now and for later entries. */
  forget(): void {
    this.forgotten = true;
    this.numbered = this.numbered.map(erasedEntry);
    this.planned = this.planned.map(erasedEntry);
    this.urgent = this.urgent.map(erasedEntry);
    this.sealed = undefined;
  }

  /** The latest entries, with the numbers that they get if nothing else is added. */
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

/** The detail of the entry `opened`. It names a waiting workflow, so that the reconciler can report to it. */
export function openedDetail(input: SuspensionInput): JsonObject {
  const { intent_id, subject_workflow_id, asked_by, findings } = input;
  const agent = intent_id === null ? subject_workflow_id : null;
  return {
    asked_by,
    ...defined({ workflow_id: agent ?? undefined, warnings: findings?.warnings }),
  };
}

export function attemptDetail({ attempt, at, channel_hint, notify_to }: ScheduledAttempt) {
  return { attempt, due_at: at, channel_hint, notify_to };
}

/** An entry for the timeline; at the present time, unless an instant (ISO-8601) is given. */
export type Happening = readonly [kind: TimelineKind, detail: JsonObject, at?: string];

/** The entries about an accepted answer: its edit, if it has one, and its effect. The answer came at an instant (ms). */
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
    ...defined({ despite_claim_of: other }),
  };
  const edited = editedDetail(before, state.record.approval);
  const edit: readonly Happening[] = edited ? [['proposal_edited', { ...detail, ...edited }]] : [];
  // The comment of the last answer ends the timeline, so it need not be passed on. That of a vote is kept with the
  // vote.
  const { comment } = answer;
  if (verdict === 'settled') {
    return [...edit, ['answer_accepted', { ...detail, ...defined({ comment }) }]];
  }
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
  const trace = editTrace(before, after, votes.map(voteIn));
  return { version, risk_class, previous_hash, proposal_hash: after.proposal_hash, ...trace };
}

function voteIn({ vote }: KeyedVote): Vote {
  return vote;
}

/** The words of a refusal in its entry. They must never change, because a replay has to seal the same entry. */
function sealedWords({ code, detail, state }: Refusal): string {
  const resolution = state?.['resolution'];
  const isEnded = code === 'suspension_settled' && typeof resolution === 'string';
  return isEnded ? `The question is already ${resolution}.` : detail;
}

/** The detail of the entry about a refused answer. */
export function rejectionOf(refusal: Refusal, { responded_by, by }: Partial<Answer>): JsonObject {
  return {
    code: refusal.code,
    message: sealedWords(refusal),
    ...defined({ responded_by, submitted_by: by?.principal }),
  };
}

/**
 * The row with the progress of an open question; a lower revision never overwrites a higher. It contains what an
 * amendment replaced only until the store has that.
 */
export function progressRow(
  state: SuspensionState,
  { id, attempt, max_attempts, next_attempt_at, comment_count = 0 }: LiveView,
  revision: number,
  hasAmended = true,
): RowOf<'suspension_progress'> {
  const { eligibility, record, claim, delegates, delegate_groups } = state;
  const approval = versionOf(record) > 1 ? record.approval : undefined;
  const amended = hasAmended ? amendedPart(record) : undefined;
  return {
    kind: 'suspension_progress',
    suspension_id: id,
    revision,
    attempt,
    max_attempts,
    next_attempt_at,
    ...countedIn(state),
    ...defined({ eligibility, approval, claim }),
    ...(comment_count > 0 && { comment_count }),
    ...defined({ delegates, delegate_groups, amended }),
  };
}

/** The row of a settled question; a lower revision never overwrites a higher. */
export function settledRow(
  state: Pick<SuspensionState, 'accepted' | 'votes'> & { readonly record: SettledRecord },
  revision: number,
): JournalRow {
  const { record, accepted, votes } = state;
  return {
    kind: 'suspension_settled',
    suspension_id: record.id,
    revision,
    settlement: settlementOf(record),
    ...defined({ answer: accepted?.answer, answers: votes?.map(({ answer }) => answer) }),
  };
}
