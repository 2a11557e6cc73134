import type { ApprovalPart, Proposal } from './approval.js';
import type { JsonObject } from '../kernel/primitives.js';

/** An event of an approval for the log of its intent or of its run, which contains it once under its key. */
export interface ApprovalNote {
  readonly key: string;
  readonly run_id: string;
  /** If null, or if the intent accepts no more events, the event goes to the log of the run. */
  readonly intent_id: string | null;
  readonly event_type: string;
  readonly actor: string;
  readonly principal: string;
  readonly payload: JsonObject;
  /** When it happened (ISO-8601). */
  readonly at: string;
}

/** Right before its calls were to run, an agent held other calls than people approved, so nothing runs. */
export interface FoundMutation {
  readonly approval_id: string;
  readonly run_id: string;
  readonly agent: string;
  /** The ids of the calls. */
  readonly calls: readonly string[];
  readonly tool?: string;
  /**
   * The hash of what the agent holds: the proposal of a gate, or the arguments of a call. Absent if that is not JSON
   * any more.
   */
  readonly held_hash?: string;
  readonly proposal_hash: string;
  readonly proposed_hash: string;
}

export interface StoredProposal {
  /** The first version. */
  readonly proposed: Proposal;
  /** The latest. */
  readonly proposal: Proposal;
  /** The proposals that people decided on, as far as the questions have them. */
  readonly asked?: readonly AskedProposal[];
}

/** A question's copy of a proposal. */
export interface AskedProposal extends Pick<ApprovalPart, 'proposal' | 'proposal_hash'> {
  readonly suspension_id: string;
  /** Whether the store does not yet have the end of the question. */
  readonly is_open: boolean;
}

/** A question that has ended, and the hash of the version it was about at its end. */
export interface DecidedIn {
  readonly suspension_id: string;
  readonly proposal_hash: string;
}
