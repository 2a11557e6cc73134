import { LIMITS } from '../../../contracts/constants/limits.js';
import type { QuestionFindings } from '../../../contracts/suspension/findings.js';
import type { AmendRequest } from '../../../contracts/suspension/requests.js';
import type { SuspensionView } from '../../../contracts/suspension/view.js';
import type { SuspensionRecord } from '../../../contracts/suspension/suspension.js';
import { defined } from '../../../contracts/constants/defined.js';
import { unknownNames } from '../../../domain/directory/known-people.js';
import { tellingWarnings } from '../../../domain/directory/telling.js';
import { askersOf } from '../../../domain/suspension/answering/resume.js';
import { jsonBytes } from '../../../domain/kernel/json.js';
import { resolveAmendment } from '../../../domain/suspension/asking/amended-question.js';
import { channelWarnings } from '../../../domain/suspension/asking/configured-question.js';
import { denialWarnings } from '../../../domain/suspension/form/denials.js';
import { findingsOf } from '../../../domain/suspension/asking/findings.js';
import type { Amending } from '../../../domain/suspension/asking/amendment.js';
import type { Doing } from '../../../domain/suspension/people/verb.js';
import { checkMay } from '../../../domain/suspension/people/rights.js';
import { amendUpdate } from '../../../workflows/suspension/messages.js';
import { demand } from '../../errors.js';
import type { Parts } from '../../parts/index.js';
import { refused } from '../../parts/refusals.js';
import { refuseSecrets } from '../secrets.js';
import { WRITE, useCase } from '../usecase.js';
import type { Call } from '../usecase.js';
import { doingOf, send } from './verbs.js';

/**
 * Corrects an open question; by who asked, or an admin. It is judged by the rules of asking and by the question as it is read; the
 * workflow takes it for the version that it names only. Throws `forbidden`, and what `resolveAmendment` refuses, besides.
 */
export const amendSuspension = useCase({
  name: 'amendSuspension',
  resource: 'suspension',
  refusals: [
    'suspension_settled',
    'reason_mismatch',
    'not_amendable',
    'question_version_mismatch',
    'too_many_changes',
    'secret_refused',
    'question_too_large',
    'state_too_large',
    ...WRITE,
  ],
  async run(call: Call, suspensionId: string, request: AmendRequest): Promise<SuspensionView> {
    await refuseSecrets(call, request);
    const amending = { ...doingOf(call), ...(await amendmentOf(call, suspensionId, request)) };
    return send(call, 'amendSuspension', suspensionId, amendUpdate, amending);
  },
});

/** The part of a request that the workflow gets. */
async function amendmentOf(
  { caller, parts }: Call,
  suspensionId: string,
  { question_version, reason, ...wanted }: AmendRequest,
): Promise<Omit<Amending, keyof Doing>> {
  const { value: question } = await parts.reads.getSuspension(suspensionId);
  demand(checkMay(caller, 'amendSuspension', question));
  const { record, intent_id } = question;
  const amendment = demand(resolveAmendment(record, wanted, LIMITS));
  const amended = { ...record, ...amendment };
  await demandFits(parts, intent_id, jsonBytes(amended) - jsonBytes(record));
  const findings = findingsWith(parts, amended, question);
  return { question_version, amendment, findings, ...(reason !== undefined && { reason }) };
}

/** Warns of what is unusual about the question as it would be. */
function findingsWith(
  { config, people, telling }: Parts,
  record: SuspensionRecord,
  { asked_by, asked_as }: Pick<SuspensionView, 'asked_by' | 'asked_as'>,
): QuestionFindings {
  const known = people();
  const askers = askersOf({ asked_by, record, ...defined({ asked_as }) });
  return findingsOf(record, [
    ...denialWarnings(record.choices, record.denials),
    ...channelWarnings(record, Object.keys(config.notifications.channels)),
    ...(known ? unknownNames(record, known) : []),
    ...tellingWarnings(record, askers, telling()),
  ]);
}

/** The record of its intent's question must still fit into the state. */
async function demandFits({ reads }: Parts, intentId: string | null, bytes: number): Promise<void> {
  if (intentId === null || bytes <= 0) return;
  const { value: intent } = await reads.getIntent(intentId);
  if (jsonBytes(intent.state) + bytes <= LIMITS.intentStateBytes) return;
  throw refused('state_too_large', 'The question does not fit into the state of the intent.', {
    accepted: `at most ${LIMITS.intentStateBytes} bytes of state`,
  });
}
