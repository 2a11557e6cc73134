import type { StatePatch } from '../../contracts/intent.js';
import type { JsonObject, JsonValue } from '../../contracts/primitives.js';
import { SUSPENSION_SLOT, partsOf } from '../intent/state-patch.js';
import { jsonEqual } from '../kernel/json.js';
import { isObject } from '../kernel/message-form.js';

/** What only the server writes into a record, once somebody has answered or changed it. Its choices may have metadata of their own. */
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

/** Whether a field of a record says how its question ended. Clients that know no absent fields write `resolution: null`. */
function isClaim(name: string, value: JsonValue | undefined): boolean {
  if (name === 'resolution' && value === null) return false;
  return CLAIMS.has(name) || name.startsWith('settled_');
}

/** The fields by which a record of a question that nobody has answered claims an answer. */
export function claimsIn(record: JsonValue | undefined): readonly string[] {
  if (!isObject(record)) return [];
  return Object.keys(record).filter((name) => isClaim(name, record[name]));
}

/** A record without them. */
export function withoutClaims<T extends JsonValue | undefined>(record: T): T {
  const claims = claimsIn(record);
  if (claims.length === 0) return record;
  const entries = Object.entries(record as JsonObject).filter(([name]) => !claims.includes(name));
  return Object.fromEntries(entries) as T;
}

/** A state whose record claims no answer. */
export function stateWithoutClaims(state: JsonObject): JsonObject {
  const { [SUSPENSION_SLOT]: record } = state;
  return claimsIn(record).length === 0
    ? state
    : { ...state, [SUSPENSION_SLOT]: withoutClaims(record as JsonValue) };
}

/** By which fields patches claim an answer, and whether one of them writes what is none as it stands. */
export interface ClaimingPatches {
  readonly claimed: readonly string[];
  readonly isLoggedAsSent: boolean;
}

/**
 * Finds what patches claim on their way, also where a later one of them takes it back.
 *
 * @param genuine - the forms in which somebody may have read the record that is kept: it claims nothing
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

/** The same patches, with one that writes what is kept of the record in place of all that write it. */
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
