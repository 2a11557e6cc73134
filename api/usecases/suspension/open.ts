import { defined } from '../../../contracts/constants/defined.js';
import type { OpenSuspensionRequest } from '../../../contracts/suspension/pause-requests.js';
import type { SuspensionDraft } from '../../../contracts/suspension/suspension.js';
import type { SuspensionView } from '../../../contracts/suspension/view.js';
import { jsonEqual } from '../../../domain/kernel/json.js';
import { toInstant } from '../../../domain/kernel/time.js';
import { openRecord } from '../../../domain/suspension/asking/schedule.js';
import { viewOf } from '../../../domain/suspension/record/view.js';
import { findSuspension } from '../../../store/queries/suspension.js';
import { WRITERS } from '../../../workflows/engine/row-duty.js';
import { askerAttributes, openingAttributes } from '../../../workflows/engine/search-attributes.js';
import type { SuspensionInput } from '../../../workflows/suspension/messages.js';
import { refusalOf } from '../../errors.js';
import { actorOf } from '../../parts/caller.js';
import { demandNotRemoved, logStartOf } from '../../parts/calls/once.js';
import type { Creation } from '../../parts/calls/once.js';
import type { Parts } from '../../parts/index.js';
import { requestKeyReused } from '../../parts/refusals.js';
import { START, useCase } from '../usecase.js';
import type { Call } from '../usecase.js';
import { QUESTION_REFUSALS, asOpened, questionOf } from './opened.js';
import type { Opened } from './opened.js';

/** Only the asker waits; the API writes the opening, and what a question leaves that it settles. */
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

/** Returns the question that the key opened before, also under the secrets that made ids then. */
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

/** Returns the question that the key opened before; undefined if the store does not have it. */
async function earlier(parts: Parts, id: string): Promise<SuspensionView | undefined> {
  const { fromStore } = parts;
  try {
    if ((await fromStore(findSuspension, id)) === undefined) {
      await demandNotRemoved(fromStore, 'suspension', id, 'request_key');
      return undefined;
    }
  } catch (error) {
    // Its workflow may still know it, and the read below fails where that is gone.
    if (refusalOf(error)?.code !== 'store_unavailable') throw error;
  }
  const found = await ifThere(parts, id);
  // If nothing is found, the store has come back meanwhile, and does not have it either.
  if (found === undefined) await demandNotRemoved(fromStore, 'suspension', id, 'request_key');
  return found;
}

/** The suspension, or undefined if there is none with this id. */
async function ifThere({ reads }: Parts, id: string): Promise<SuspensionView | undefined> {
  try {
    return (await reads.getSuspension(id)).value;
  } catch (error) {
    if (refusalOf(error)?.code === 'suspension_not_found') return undefined;
    throw error;
  }
}

/** The question that the key opened before, as long as it asks the same. */
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

/** A request_key stands for what is asked, not for how: the same fields as for an intent's question. */
function askedIn({ question, response_type, choices }: SuspensionDraft): unknown {
  return { question, response_type, choices: choices ?? null };
}
