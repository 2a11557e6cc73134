import { LIMITS } from '../../../contracts/constants/limits.js';
import type { OpenSuspensionRequest } from '../../../contracts/suspension/pause-requests.js';
import type { LiveView, SuspensionView } from '../../../contracts/suspension/view.js';
import { toInstant, toMillis } from '../../../domain/kernel/time.js';
import { configuredQuestion } from '../../../domain/suspension/asking/configured-question.js';
import { isPauseRequest, resolvePause } from '../../../domain/suspension/asking/pause.js';
import { viewAt, viewOf } from '../../../domain/suspension/record/view.js';
import { demand, refusalOf } from '../../errors.js';
import { actorOf } from '../../parts/caller.js';
import { START, refuseSecrets, useCase, type Call } from '../usecase.js';
import { defined } from '../../../contracts/constants/defined.js';
import type { SuspensionDraft } from '../../../contracts/suspension/suspension.js';
import { jsonEqual } from '../../../domain/kernel/json.js';
import { openRecord } from '../../../domain/suspension/asking/schedule.js';
import { fateOfQuestion } from '../../../store/queries/erasure/erasure-marks.js';
import { WRITERS } from '../../../workflows/engine/row-duty.js';
import { askerAttributes, openingAttributes } from '../../../workflows/engine/search-attributes.js';
import type { SuspensionInput } from '../../../workflows/suspension/messages.js';
import { demandNotRemoved, logStartOf, type Creation } from '../../parts/calls/once.js';
import type { Parts } from '../../parts/index.js';
import { removedByRetention, requestKeyReused } from '../../parts/refusals.js';

/** A question as it is now; `created` is false if its request_key has opened it before. */
export interface Opened {
  readonly created: boolean;
  readonly view: SuspensionView;
  readonly warnings: readonly string[];
}

export const QUESTION_REFUSALS = [
  'secret_refused',
  'unknown_recipient',
  'unknown_principal',
  'request_key_reused',
  'question_too_large',
] as const;

/**
 * Returns the question or pause of a request, with warnings for the caller. Throws `invalid_choices`,
 * `invalid_request`, `invalid_retry_policy`, `secret_refused`, `unknown_recipient`, `unknown_principal` and
 * `question_too_large`.
 */
export async function questionOf(call: Call, request: OpenSuspensionRequest) {
  const { caller, parts } = call;
  await refuseSecrets(call, request);
  if (isPauseRequest(request)) return demand(resolvePause(request, LIMITS));
  const { config, people } = parts;
  const askers = [caller.principal, actorOf(caller)];
  return demand(configuredQuestion(request, config, LIMITS, caller.space, people(), askers));
}

/** Returns a question that was just opened in the form of a read. */
export function asOpened(view: LiveView): SuspensionView {
  return viewAt(view, toMillis(view.record.suspended_at));
}

/** Only the asker waits; the API writes the opening, and the last rows of a question that it settles. */
const ALONE = {
  intent_id: null,
  subject_workflow_id: null,
  writers: WRITERS.api,
} as const satisfies Partial<SuspensionInput>;

/**
 * Asks a question that holds up no intent, or pauses for another reason. With a `request_key` the id follows from principal and
 * key, and the store is asked first, which remembers longer than Temporal. Throws what `questionOf` throws besides, and
 * `store_unavailable` where only the store could say whether the key is new. After `workflow_unavailable` the question may be
 * open all the same.
 */
export const openSuspension = useCase({
  name: 'openSuspension',
  resource: 'suspension',
  refusals: ['removed_by_retention', ...QUESTION_REFUSALS, ...START],
  async run(call: Call, request: OpenSuspensionRequest): Promise<Opened> {
    const { caller, parts } = call;
    const { clock, temporal, reads, settlements, questionRows } = parts;
    const { draft, findings } = await questionOf(call, request);
    const { warnings = [] } = findings;
    const creation = parts.creationOf('suspension', caller, request.request_key, request);
    const known = request.request_key === undefined ? undefined : await earliest(parts, creation);
    if (known) return reopened(known, draft, warnings);
    const { id, workflowId } = creation;
    const opened = openRecord(draft, id, toInstant(clock.now()));
    const { record } = opened;
    const { creation_hash: _hash, ...log } = logStartOf(creation);
    const actor = actorOf(caller);
    const asked_as = actor === caller.principal ? undefined : actor;
    const asker = { asked_by: caller.principal, ...defined({ asked_as }) };
    const input = { ...ALONE, ...asker, ...opened, findings, ...log };
    const view = viewOf({ intent_id: null, record, attempt: 1 }, input, []);
    const outcome = await temporal.start('suspension', {
      workflowId,
      input,
      summary: record.question,
      attributes: [...openingAttributes(view), ...askerAttributes(input)],
    });
    settlements.touch(id, 'pending');
    if (outcome === 'exists') {
      return reopened((await reads.getSuspension(id)).value, draft, warnings);
    }
    await questionRows.writeOpening(input);
    return { created: true, view: asOpened(view), warnings };
  },
});

/** Returns the question that was opened before under the key, also by an earlier secret. */
async function earliest(
  parts: Parts,
  { id, retired }: Creation,
): Promise<SuspensionView | undefined> {
  for (const { id: former } of retired) {
    const found = await ifThere(parts, former);
    if (found) return found;
    await demandNotRemoved(parts.fromStore, 'suspension', former, 'request_key');
  }
  return earlier(parts, id);
}

/** Returns the question that was opened before under the key; undefined if the store does not have it. */
async function earlier(parts: Parts, id: string): Promise<SuspensionView | undefined> {
  const { fromStore } = parts;
  try {
    const fate = await fromStore(fateOfQuestion, id);
    if (fate === 'removed') throw removedByRetention('request_key');
    if (fate === undefined) return undefined;
  } catch (error) {
    // Its workflow may still know it, and the read below fails where that is gone.
    if (refusalOf(error)?.code !== 'store_unavailable') throw error;
  }
  const found = await ifThere(parts, id);
  // If nothing is found, the store has come back meanwhile, and does not have it either.
  if (found === undefined) await demandNotRemoved(fromStore, 'suspension', id, 'request_key');
  return found;
}

async function ifThere({ reads }: Parts, id: string): Promise<SuspensionView | undefined> {
  try {
    return (await reads.getSuspension(id)).value;
  } catch (error) {
    if (refusalOf(error)?.code === 'suspension_not_found') return undefined;
    throw error;
  }
}

/** Returns the question that was opened before under the key, if it asks the same. */
function reopened(
  view: SuspensionView,
  draft: SuspensionDraft,
  warnings: readonly string[],
): Opened {
  const { erased_at, question_version } = view.record;
  // Once a question is erased or amended, what was asked cannot be compared any more.
  const isChanged = erased_at !== undefined || question_version !== undefined;
  if (isChanged || jsonEqual(askedIn(view.record), askedIn(draft)))
    return { created: false, view, warnings };
  throw requestKeyReused('question', 'the question');
}

/** Returns what a request_key stands for: the question itself, with the same fields as for an intent's question. */
function askedIn({ question, response_type, choices }: SuspensionDraft): unknown {
  return { question, response_type, choices: choices ?? null };
}
