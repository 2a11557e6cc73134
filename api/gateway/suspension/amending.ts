import type { ServerConfig } from '../../../contracts/config.js';
import { LIMITS } from '../../../contracts/constants/limits.js';
import type { QuestionFindings } from '../../../contracts/question-findings.js';
import type { AmendRequest } from '../../../contracts/suspension-requests.js';
import type { SuspensionRecord } from '../../../contracts/suspension.js';
import { unknownNames } from '../../../domain/directory/known-people.js';
import { jsonBytes } from '../../../domain/kernel/json.js';
import { resolveAmendment } from '../../../domain/suspension/amended-question.js';
import { channelWarnings } from '../../../domain/suspension/configured-question.js';
import { denialWarnings } from '../../../domain/suspension/denials.js';
import { findingsOf } from '../../../domain/suspension/findings.js';
import type { Amending } from '../../../domain/suspension/amendment.js';
import type { Doing } from '../../../domain/suspension/verb.js';
import { checkMay } from '../../../domain/suspension/rights.js';
import { demand } from '../../errors.js';
import type { Caller } from '../caller.js';
import type { Reads } from '../intent/reads.js';
import { refused } from '../refusals.js';
import type { Who } from './who.js';

interface Deps {
  readonly reads: Pick<Reads, 'getIntent' | 'getSuspension'>;
  readonly config: Pick<ServerConfig, 'notifications'>;
  readonly people: Who;
}

/**
 * Makes of a request to amend what the workflow is sent. It is judged by the rules of asking and by the question as it is
 * read; the workflow takes it for the version that it names only. Throws `forbidden`, what `resolveAmendment` refuses,
 * `state_too_large`, and what the reads throw.
 */
export function createAmendments({ reads, config, people }: Deps) {
  /** What is unusual about the question as it would be. */
  function findingsWith(record: SuspensionRecord): QuestionFindings {
    const known = people();
    return findingsOf(record, [
      ...denialWarnings(record.choices, record.denials),
      ...channelWarnings(record, Object.keys(config.notifications.channels)),
      ...(known ? unknownNames(record, known) : []),
    ]);
  }

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
    const findings = findingsWith(amended);
    return { question_version, amendment, findings, ...(reason !== undefined && { reason }) };
  };
}
