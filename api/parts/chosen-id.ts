import type { StatePatch } from '../../contracts/intent/intent.js';
import type { JsonObject, JsonValue } from '../../contracts/kernel/primitives.js';
import { SUSPENSION_SLOT, partsOf } from '../../domain/intent/state-patch.js';
import { jsonEqual } from '../../domain/kernel/json.js';
import { isObject } from '../../domain/kernel/message-form.js';
import { findSuspension, isQuestionId } from '../../store/queries/suspension.js';
import { isRemoved } from '../../store/queries/erasure/erasure-marks.js';
import type { Caller } from './caller.js';
import { ifThere, type FromStore } from './reads/from-store.js';
import { ENTITY_ID } from '../../contracts/constants/names.js';
import { refused } from './refusals.js';

/** Returns the records of questions that patches would write, or only their ids. */
export function recordsIn(patches: readonly StatePatch[]): readonly JsonValue[] {
  return patches.flatMap((patch) => {
    if (!('value' in patch)) return [];
    const [slot, field, ...deeper] = partsOf(patch.path);
    if (slot !== SUSPENSION_SLOT || deeper.length > 0) return [];
    if (field === undefined) return [patch.value];
    return field === 'id' ? [{ id: patch.value }] : [];
  });
}

/**
 * Refuses a question under the id of another one outside of its intent, by the store, which remembers longer than
 * Temporal. While the store is away, only Temporal's memory refuses, when the question opens.
 *
 * @param intentId - undefined for an intent that does not exist yet
 * @throws RefusalError `suspension_id_taken`
 */
export async function demandOwnId(
  fromStore: FromStore,
  { principal }: Caller,
  record: JsonValue | undefined,
  intentId?: string,
): Promise<void> {
  if (!isObject(record) || typeof record['id'] !== 'string' || !ENTITY_ID.test(record['id']))
    return;
  const { id } = record;
  // This comes first, because a row may be written between two reads: an id that is taken can be read then.
  if (!(await isTaken(fromStore, id))) return;
  const read = await ifThere(fromStore(findSuspension, id).then((view) => ({ view })));
  if (read === undefined) return;
  // A question that is not found belongs to another space or was removed. The refusal says no more than that.
  const known = read.view;
  if (known && intentId !== undefined && known.intent_id === intentId) return;
  if (known?.asked_by === principal && isSame(known.record, record)) return;
  throw refused('suspension_id_taken', 'Another question has this id.', {
    field: `${SUSPENSION_SLOT}.id`,
    accepted: 'a new random UUID',
  });
}

/** Whether a question has the id, in whatever space, or had it before retention removed it. */
async function isTaken(fromStore: FromStore, id: string): Promise<boolean> {
  if (await ifThere(fromStore(isQuestionId, id))) return true;
  return (await ifThere(fromStore(isRemoved, 'suspension', id))) === true;
}

/** Whether two records ask the same question about the same subject. */
function isSame(
  known: { readonly question: string; readonly context?: unknown },
  record: JsonObject,
) {
  const { question, context = {} } = record;
  return known.question === question && jsonEqual(known.context ?? {}, context);
}
