import { workflowIdOf } from '../../../contracts/constants/names.js';
import type { JsonObject } from '../../../contracts/kernel/primitives.js';
import type { SuspendRequest } from '../../../contracts/suspension/requests.js';
import type { SuspensionView } from '../../../contracts/suspension/view.js';
import { hashJson } from '../../../domain/kernel/hashing.js';
import { findRequest } from '../../../store/queries/suspension.js';
import {
  suspendUpdate,
  type SuspendInput,
  type SuspendReceipt,
} from '../../../workflows/intent/messages.js';
import { refusalOf } from '../../errors.js';
import { sentBy } from '../../parts/caller.js';
import { activeSuspensionId } from '../../parts/diagnosis.js';
import type { Parts } from '../../parts/index.js';
import { requestKeyReused } from '../../parts/refusals.js';
import { WRITE, useCase, type Call } from '../usecase.js';
import { QUESTION_REFUSALS, asOpened, questionOf, type Opened } from './open.js';

/**
 * Asks a question; the intent waits for its answer. The intent remembers a `request_key`, so that a repetition gets
 * the question as it is now, even of a closed intent. Throws what `questionOf` and `IntentWriter` throw besides.
 */
export const suspend = useCase({
  name: 'suspend',
  resource: 'intent',
  refusals: [
    'intent_not_active',
    'intent_suspended',
    'intent_closed',
    'state_too_large',
    ...QUESTION_REFUSALS,
    ...WRITE,
  ],
  async run(call: Call, intentId: string, request: SuspendRequest): Promise<Opened> {
    const { caller, parts } = call;
    const { draft, findings } = await questionOf(call, request);
    const { warnings = [] } = findings;
    const input: SuspendInput = {
      ...sentBy(caller),
      draft,
      findings,
      ...keyOf(request),
      sender_writes: true,
      ...parts.intentRows.stored(intentId),
    };
    try {
      return { ...(await asked(parts, intentId, input)), warnings };
    } catch (error) {
      const view = await askedBefore(parts, intentId, input, error);
      if (view) return { created: false, view, warnings };
      return { ...(await asked(parts, intentId, { ...input, is_new: true })), warnings };
    }
  },
});

/**
 * Returns what a request_key stands for: the question itself. Policies, decision and confidence may differ after a
 * restart of the agent, which still finds its question.
 */
function keyOf(request: SuspendRequest): Pick<SuspendInput, 'request'> {
  const { request_key: key, question, response_type, choices = [] } = request;
  if (key === undefined) return {};
  // Absent and undefined are the same to JSON.
  const compared = JSON.parse(JSON.stringify({ question, response_type, choices })) as JsonObject;
  return { request: { key, body_hash: hashJson(compared) } };
}

async function asked(
  parts: Parts,
  intentId: string,
  input: SuspendInput,
): Promise<Omit<Opened, 'warnings'>> {
  const { consistency, settlements, intentRows, reads } = parts;
  const receipt = await send(parts, intentId, input);
  consistency.touch(intentId);
  settlements.touch(receipt.suspension_id, 'pending');
  if (receipt.reattached) intentRows.collectDue(intentId);
  else await intentRows.writeLeft(intentId, receipt.rows ?? []);
  const view = receipt.view && asOpened(receipt.view);
  const known = view ?? (await reads.getSuspension(receipt.suspension_id)).value;
  return { created: !receipt.reattached, view: known };
}

/**
 * Sends the question, and once more if an earlier question in the way is over by now: a caller may know that outcome
 * before the intent does, and an Update in the same task as the news is judged first.
 */
async function send(parts: Parts, intentId: string, input: SuspendInput): Promise<SuspendReceipt> {
  try {
    return await parts.write(intentId, suspendUpdate, input);
  } catch (error) {
    const isInTheWay = refusalOf(error)?.code === 'intent_suspended';
    if (!isInTheWay || !(await goesOn(parts, intentId))) throw error;
    return parts.write(intentId, suspendUpdate, input);
  }
}

/** Whether the earlier question is over, and the intent knows that. */
async function goesOn({ reads, temporal, space }: Parts, intentId: string): Promise<boolean> {
  const { value: intent } = await reads.getIntent(intentId);
  if (intent.status !== 'suspended_awaiting_input') return true;
  const open = activeSuspensionId(intent);
  if (open === undefined) return false;
  const { value: question } = await reads.getSuspension(open);
  if (question.state === 'pending') return false;
  await temporal.told(workflowIdOf('intent', intentId, space), workflowIdOf('suspension', open));
  return true;
}

/**
 * Returns the question that the key opened before, from the store, if the intent is closed or has forgotten it;
 * undefined for a new key.
 * @throws the refusal itself, if it is another or the key is not known
 */
async function askedBefore(
  { fromStore, reads }: Parts,
  intentId: string,
  { request }: SuspendInput,
  refusal: unknown,
): Promise<SuspensionView | undefined> {
  const code = refusalOf(refusal)?.code;
  const isForgotten = code === 'request_key_forgotten';
  if (request === undefined || (code !== 'intent_closed' && !isForgotten)) throw refusal;
  const known = await fromStore(findRequest, intentId, request.key);
  if (known === undefined && isForgotten) return undefined;
  if (known === undefined) throw refusal;
  // A missing hash means that the question was erased.
  const { request_hash } = known;
  if (request_hash !== null && request_hash !== request.body_hash)
    throw requestKeyReused('question', 'the question');
  return (await reads.getSuspension(known.id)).value;
}
