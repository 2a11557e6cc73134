import type { StatePatch } from '../../contracts/intent.js';
import type { JsonObject, JsonValue } from '../../contracts/primitives.js';
import { SUSPENSION_SLOT, partsOf } from '../intent/state-patch.js';
import { isObject } from '../kernel/message-form.js';

/** What only the server writes into a record, once somebody has answered or changed it. Its choices may have metadata of their own. */
const CLAIMS: ReadonlySet<string> = new Set([
  'response',
  'responded_at',
  'responded_by',
  'submitted_by',
  'votes',
  'metadata',
  'comment',
  'data',
  'reason',
  'approval',
  'question_version',
  'amended_at',
  'erased_at',
]);

/** Whether a field of a record says how its question ended. What a `resolution` may be is judged by itself. */
function isClaim(name: string): boolean {
  return CLAIMS.has(name) || name.startsWith('settled_');
}

/** The fields by which a record of a question that nobody has answered claims an answer. */
export function claimsIn(record: JsonValue | undefined): readonly string[] {
  return isObject(record) ? Object.keys(record).filter(isClaim) : [];
}

/** A record without them. */
export function withoutClaims<T extends JsonValue | undefined>(record: T): T {
  if (claimsIn(record).length === 0) return record;
  const entries = Object.entries(record as JsonObject).filter(([name]) => !isClaim(name));
  return Object.fromEntries(entries) as T;
}

/** A state whose record claims no answer. */
export function stateWithoutClaims(state: JsonObject): JsonObject {
  const { [SUSPENSION_SLOT]: record } = state;
  return claimsIn(record).length === 0
    ? state
    : { ...state, [SUSPENSION_SLOT]: withoutClaims(record as JsonValue) };
}

/** Patches as they are logged, without what they claim. */
export function patchesWithoutClaims(patches: readonly StatePatch[]): readonly StatePatch[] {
  return patches.flatMap((patch): readonly StatePatch[] => {
    const [slot, field] = partsOf(patch.path);
    if (slot !== SUSPENSION_SLOT) return [patch];
    if (field !== undefined) return isClaim(field) ? [] : [patch];
    return 'value' in patch ? [{ ...patch, value: withoutClaims(patch.value) }] : [patch];
  });
}
