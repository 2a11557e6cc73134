import type { ApprovalPart, Proposal } from './approval.js';
import type { JsonObject } from './primitives.js';

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

/** That an agent holds other calls than people have approved, as it finds right before they are to run: nothing runs. */
export interface FoundMutation {
  readonly approval_id: string;
  readonly run_id: string;
  /** The name in which it asked. */
  readonly agent: string;
  /** The ids of the calls. */
  readonly calls: readonly string[];
  /** The tool that was to run, where it is another one. */
  readonly tool?: string;
  /** The hash of what it holds: the proposal of a gate, or the arguments of a call. Absent where it is no JSON any more. */
  readonly held_hash?: string;
  readonly proposal_hash: string;
  readonly proposed_hash: string;
}

/** What the store has of the proposal of an approval. */
export interface StoredProposal {
  /** The first version. */
  readonly proposed: Proposal;
  /** The latest. */
  readonly proposal: Proposal;
  /** What the questions show that people have decided on, as far as they have it. */
  readonly asked?: readonly AskedProposal[];
}

/** The copy of a proposal that a question has. */
export interface AskedProposal extends Pick<ApprovalPart, 'proposal' | 'proposal_hash'> {
  readonly suspension_id: string;
}
