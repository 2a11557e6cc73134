import type { ApprovalPart, Proposal } from './approval.js';
import type { JsonObject } from '../kernel/primitives.js';

/** An event of an approval, for the log of its intent or of its run, where it is once under its key. */
export interface ApprovalNote {
  readonly key: string;
  readonly run_id: string;
  /** The log of its run without one, or where it takes no more. */
  readonly intent_id: string | null;
  readonly event_type: string;
  readonly actor: string;
  readonly principal: string;
  readonly payload: JsonObject;
  /** When it happened (ISO-8601). */
  readonly at: string;
}

/** An agent holds other calls than people have approved, right before they are to run: nothing runs. */
export interface FoundMutation {
  readonly approval_id: string;
  readonly run_id: string;
  /** The name under which it asked. */
  readonly agent: string;
  /** The ids of the calls. */
  readonly calls: readonly string[];
  /** The other tool that was to run. */
  readonly tool?: string;
  /** The hash of what it holds: the proposal of a gate, or the arguments of a call. Absent where it is no JSON any more. */
  readonly held_hash?: string;
  readonly proposal_hash: string;
  readonly proposed_hash: string;
}

/** The store's copy of the proposal of an approval. */
export interface StoredProposal {
  /** The first version. */
  readonly proposed: Proposal;
  /** The latest. */
  readonly proposal: Proposal;
  /** The proposals that people have decided on, as far as the questions have them. */
  readonly asked?: readonly AskedProposal[];
}

/** The copy of a proposal that a question has. */
export interface AskedProposal extends Pick<ApprovalPart, 'proposal' | 'proposal_hash'> {
  readonly suspension_id: string;
  /** Whether the store does not have the end of the question yet. */
  readonly is_open: boolean;
}

/** A question that has ended, and the hash of the version that it was about in the end. */
export interface DecidedIn {
  readonly suspension_id: string;
  readonly proposal_hash: string;
}
