import { HoldpointError, Operator } from 'holdpoint-client';
import type { ApprovalView } from '../../../contracts/approval/approval.js';
import type { JsonObject } from '../../../contracts/kernel/primitives.js';
import type { RespondResult } from '../../../contracts/suspension/view.js';
import { must } from './checks.js';
import { keyOfPrincipal, type Person } from './story.js';

/** What a person answers: a decision on a version of the proposal, perhaps with other arguments. */
export interface Ballot {
  readonly value: 'approved' | 'rejected';
  /** The first call gets these arguments. */
  readonly edited?: JsonObject;
  readonly comment?: string;
}

/** People who decide over HTTP, each with a key of its own. */
export class Voters {
  private readonly baseUrl: string;

  constructor(baseUrl: string) {
    this.baseUrl = baseUrl;
  }

  /** Answers the open question of an approval, about the version that the view shows. Throws where it is refused. */
  async vote(
    person: Person,
    { suspension_id, proposal, proposal_hash }: ApprovalView,
    { value, edited, comment }: Ballot,
  ): Promise<RespondResult> {
    const operator = new Operator({ baseUrl: this.baseUrl, apiKey: keyOfPrincipal(person) });
    const call_id = proposal.calls[0]?.id ?? '';
    const receipt = await operator.respond(null, {
      suspension_id: String(suspension_id),
      value,
      proposal_hash,
      ...(edited && { edits: [{ call_id, arguments: edited }] }),
      ...(comment !== undefined && { comment }),
    });
    if (receipt.accepted) return receipt.result;
    throw new Error(`The answer of ${person} was handed over, but no worker has taken it.`);
  }

  /** Answers a question that is no approval of a proposal. */
  async answer(person: Person, suspension_id: string, value: string): Promise<void> {
    const operator = new Operator({ baseUrl: this.baseUrl, apiKey: keyOfPrincipal(person) });
    await operator.respond(null, { suspension_id, value });
  }

  /** Checks that an answer is refused with this code. */
  async refused(
    person: Person,
    approval: ApprovalView,
    ballot: Ballot,
    code: string,
  ): Promise<void> {
    const outcome = await this.vote(person, approval, ballot).then(
      () => 'accepted',
      (error: unknown) => (error instanceof HoldpointError ? error.code : String(error)),
    );
    must(`the answer of ${person}`, outcome, code);
  }
}
