import type { StatePatch } from '../../contracts/intent/intent.js';
import type { JsonObject, JsonValue } from '../../contracts/kernel/primitives.js';
import { SUSPENSION_SLOT, partsOf } from '../intent/state-patch.js';
import { jsonEqual } from '../kernel/json.js';
import { isObject } from '../kernel/message-form.js';

/** Fields of a record that only the server writes, after an answer or a change. Choices may have their own metadata. */
const CLAIMS: ReadonlySet<string> = new Set([
  'resolution',
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

/** Whether a field says how a question ended. Clients that cannot omit fields send `resolution: null`. */
function isClaim(name: string, value: JsonValue | undefined): boolean {
  if (name === 'resolution' && value === null) return false;
  return CLAIMS.has(name) || name.startsWith('settled_');
}

/** The fields with which an unanswered question's record claims an answer. */
export function claimsIn(record: JsonValue | undefined): readonly string[] {
  if (!isObject(record)) return [];
  return Object.keys(record).filter((name) => isClaim(name, record[name]));
}

export function withoutClaims<T extends JsonValue | undefined>(record: T): T {
  const claims = claimsIn(record);
  if (claims.length === 0) return record;
  const entries = Object.entries(record as JsonObject).filter(([name]) => !claims.includes(name));
  return Object.fromEntries(entries) as T;
}

export function stateWithoutClaims(state: JsonObject): JsonObject {
  const { [SUSPENSION_SLOT]: record } = state;
  return claimsIn(record).length === 0
    ? state
    : { ...state, [SUSPENSION_SLOT]: withoutClaims(record as JsonValue) };
}

/** How patches claim an answer: the fields, and whether a patch writes something that is no record by itself. */
export interface ClaimingPatches {
  readonly claimed: readonly string[];
  readonly isLoggedAsSent: boolean;
}

/**
 * Finds the claims of an answer in patches, even if a later patch reverts them.
 *
 * @param genuine - the forms in which somebody may have read the record, which claim nothing
 */
export function claimsOf(
  patches: readonly StatePatch[],
  genuine: readonly JsonValue[],
): ClaimingPatches {
  const claimed = new Set<string>();
  let hasList = false;
  for (const patch of patches) {
    const [slot, field, ...deeper] = partsOf(patch.path);
    if (slot !== SUSPENSION_SLOT || !('value' in patch)) continue;
    const { value } = patch;
    if (field !== undefined) {
      if (isClaim(field, deeper.length > 0 ? undefined : value)) claimed.add(field);
    } else if (!genuine.some((form) => jsonEqual(form, value))) {
      hasList ||= Array.isArray(value) || patch.op === 'append';
      const written = Array.isArray(value) ? (value as readonly JsonValue[]) : [value];
      for (const name of written.flatMap(claimsIn)) claimed.add(name);
    }
  }
  return { claimed: [...claimed], isLoggedAsSent: claimed.size === 0 && !hasList };
}

/** Returns patches that write the kept record once, instead of all patches that write it. */
export function patchesWriting(
  record: JsonValue | undefined,
  patches: readonly StatePatch[],
): readonly StatePatch[] {
  const others = patches.filter(({ path }) => partsOf(path)[0] !== SUSPENSION_SLOT);
  const path = SUSPENSION_SLOT;
  return [
    ...others,
    record === undefined ? { op: 'remove', path } : { op: 'set', path, value: record },
  ];
}
