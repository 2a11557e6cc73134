import { LIMITS } from '../../../contracts/constants/limits.js';
import type { AmendRequest } from '../../../contracts/suspension-requests.js';
import { jsonBytes } from '../../../domain/kernel/json.js';
import { resolveAmendment } from '../../../domain/suspension/amended-question.js';
import { findingsOf } from '../../../domain/suspension/findings.js';
import type { Amending } from '../../../domain/suspension/amendment.js';
import type { Doing } from '../../../domain/suspension/verb.js';
import { checkMay } from '../../../domain/suspension/rights.js';
import { demand } from '../../errors.js';
import type { Caller } from '../caller.js';
import type { Reads } from '../intent/reads.js';
import { refused } from '../refusals.js';

/**
 * Makes of a request to amend what the workflow is sent. It is judged by the rules of asking and by the question as it is
 * read; the workflow takes it for the version that it names only. Throws `forbidden`, what `resolveAmendment` refuses,
 * `state_too_large`, and what the reads throw.
 */
export function createAmendments(reads: Pick<Reads, 'getIntent' | 'getSuspension'>) {
  /** The record of its intent's question must still fit into the state. */
  async function demandFits(intentId: string | null, bytes: number): Promise<void> {
    if (intentId === null || bytes <= 0) return;
    const { value: intent } = await reads.getIntent(intentId);
    if (jsonBytes(intent.state) + bytes <= LIMITS.intentStateBytes) return;
    throw refused('state_too_large', 'The question does not fit into the state of the intent.', {
      accepted: `at most ${LIMITS.intentStateBytes} bytes of state`,
    });
  }

  return async (
    caller: Caller,
    suspensionId: string,
    { question_version, reason, ...wanted }: AmendRequest,
  ): Promise<Omit<Amending, keyof Doing>> => {
    const { value: question } = await reads.getSuspension(suspensionId);
    demand(checkMay(caller, 'amendSuspension', question));
    const { record, intent_id } = question;
    const amendment = demand(resolveAmendment(record, wanted, LIMITS));
    const amended = { ...record, ...amendment };
    await demandFits(intent_id, jsonBytes(amended) - jsonBytes(record));
    const findings = findingsOf(amended);
    return { question_version, amendment, findings, ...(reason !== undefined && { reason }) };
  };
}
