import type { ApprovalNote } from '../contracts/approval-log.js';
import type { ApprovalView } from '../contracts/approval.js';
import { SERVER } from '../contracts/constants/callers.js';
import { LAST_REVISION } from '../contracts/constants/limits.js';
import type { RowOf } from '../contracts/journal.js';
import { lostApproval } from '../domain/approval/lost.js';
import { toInstant } from '../domain/kernel/time.js';
import type { PlacedQuestion, TimeRange } from './dependencies.js';
import type { Finding } from './types.js';

type Placed = PlacedQuestion;

/** How the workflow of an approval has ended, as `QuestionEnd` says it of a question. */
export type ApprovalEnd =
  | { readonly kind: 'decided'; readonly row: RowOf<'approval'> }
  | { readonly kind: 'gone' | 'missing' };

/** Approvals of all spaces as Temporal and the store have them; pages are of at most 200. */
export interface ApprovalReconciliation {
  /** Those whose workflows ended in this time. */
  readonly endedIn: (range: TimeRange) => AsyncIterable<readonly Placed[]>;
  /** Those that were asked for until an instant (ISO-8601) and wait in the store. */
  readonly openIn: (until: string) => AsyncIterable<readonly Placed[]>;
  /** Those of a page that the store does not have. */
  readonly notKnown: (page: readonly Placed[]) => Promise<readonly Placed[]>;
  /** Those of a page that the store does not show as decided. */
  readonly notDecided: (page: readonly Placed[]) => Promise<readonly Placed[]>;
  /** Undefined while the workflow runs. */
  readonly endOf: (placed: Placed) => Promise<ApprovalEnd | undefined>;
  /** As the store has it. */
  readonly find: (placed: Placed) => Promise<ApprovalView | undefined>;
  /** Withdraws the questions that people could still answer for it. */
  readonly withdrawQuestions: (placed: Placed, reason: string) => Promise<void>;
  readonly writeRow: (row: RowOf<'approval'>, space: string) => Promise<void>;
  /** Appends to the log of its intent or of its run, once under the key of the note. */
  readonly note: (note: ApprovalNote, space: string) => Promise<void>;
}

interface Dependencies {
  readonly approvals: ApprovalReconciliation;
  readonly now: () => Date;
}

/**
 * Repairs an approval that the store shows as waiting while its workflow is closed, and returns what was found; undefined if it
 * needs no repair. One that was lost is cancelled by the system, with its questions, and its log says so; whoever waits for its
 * workflow hears that from Temporal. The row comes last: until then the next look begins anew.
 */
export async function approvalFinding(
  { approvals, now }: Dependencies,
  placed: Placed,
  cancelMissing: boolean,
): Promise<Finding | undefined> {
  const end = await approvals.endOf(placed);
  if (end === undefined) return undefined;
  if (end.kind === 'missing' && !cancelMissing) return 'missing';
  if (end.kind === 'decided') {
    await approvals.writeRow(end.row, placed.space);
    return 'written';
  }
  const stored = await approvals.find(placed);
  if (stored?.status !== 'pending') return undefined;
  const { view, events } = lostApproval(stored, toInstant(now().getTime()));
  const { resolution, intent_id, proposal } = view;
  await approvals.withdrawQuestions(placed, resolution?.reason ?? '');
  const { run_id } = proposal;
  const at = resolution?.resolved_at ?? view.created_at;
  for (const { key, draft } of events) {
    const note = { key, run_id, intent_id, principal: SERVER.principal, ...draft, at };
    await approvals.note(note, placed.space);
  }
  const row = { kind: 'approval', approval: view, proposed: proposal } as const;
  await approvals.writeRow({ ...row, revision: LAST_REVISION }, placed.space);
  return 'lost';
}
