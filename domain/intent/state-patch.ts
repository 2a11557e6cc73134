import type { StatePatch } from '../../contracts/intent/intent.js';
import type { JsonObject, JsonValue } from '../../contracts/kernel/primitives.js';
import type { Ruling } from '../../contracts/kernel/problem.js';
import { jsonBytes } from '../kernel/json.js';
import { ok, refuse } from '../kernel/ruling.js';

type MutableObject = { [key: string]: Mutable };
type Mutable = string | number | boolean | null | Mutable[] | MutableObject;
type Container = Mutable[] | MutableObject;

/** Why a patch is refused, and what would be accepted. Undefined if it was applied. */
type Problem = { readonly detail: string; readonly accepted: string } | undefined;

/** Contains the record of the question. Only suspensions write it, and clients of the OpenIntent API. */
export const SUSPENSION_SLOT = '_suspension';
const UNSAFE_KEYS = ['__proto__', 'constructor', 'prototype'];
/** Request bodies have the same depth limit. */
const MAX_PATH_PARTS = 100;
const INDEX = /^(?:0|[1-9]\d{0,8})$/;

function copyOf(value: JsonValue): Mutable {
  return JSON.parse(JSON.stringify(value)) as Mutable;
}

function isContainer(value: Mutable | undefined): value is Container {
  return typeof value === 'object' && value !== null;
}

/** Marks removed entries of lists. They keep their positions until the end, because shifting a long list is slow. */
class Gone {
  private readonly places = new Map<Mutable[], number[]>();

  lengthOf(list: Mutable[]): number {
    return list.length - (this.places.get(list)?.length ?? 0);
  }

  /** Returns the actual position of an index, counting removed entries. */
  placeOf(list: Mutable[], index: number): number {
    let place = index;
    for (const gone of this.places.get(list) ?? []) {
      if (gone > place) break;
      place += 1;
    }
    return place;
  }

  remove(list: Mutable[], index: number): void {
    const place = this.placeOf(list, index);
    const places = this.places.get(list) ?? [];
    const after = places.findIndex((gone) => gone > place);
    places.splice(after < 0 ? places.length : after, 0, place);
    this.places.set(list, places);
  }

  closeUp(): void {
    for (const [list, places] of this.places) {
      const gone = new Set(places);
      const [first = 0] = places;
      let end = first;
      for (let place = first; place < list.length; place += 1) {
        if (!gone.has(place)) list[end++] = list[place] as Mutable;
      }
      list.length = end;
    }
  }
}

interface Patched {
  readonly root: MutableObject;
  readonly gone: Gone;
}

function read(container: Container, key: string, gone: Gone): Mutable | undefined {
  if (!Array.isArray(container)) return Object.hasOwn(container, key) ? container[key] : undefined;
  return INDEX.test(key) ? container[gone.placeOf(container, Number(key))] : undefined;
}

function write(container: Container, key: string, value: Mutable, gone: Gone): Problem {
  if (!Array.isArray(container)) {
    container[key] = value;
    return undefined;
  }
  const length = gone.lengthOf(container);
  if (!INDEX.test(key) || Number(key) > length) {
    const detail = `A list of ${length} has no place "${key}".`;
    return { detail, accepted: `a place from 0 to ${length}` };
  }
  container[gone.placeOf(container, Number(key))] = value;
  return undefined;
}

function remove({ root, gone }: Patched, parents: readonly string[], key: string): void {
  let at: Container = root;
  for (const part of parents) {
    const next = read(at, part, gone);
    if (!isContainer(next)) return;
    at = next;
  }
  if (read(at, key, gone) === undefined) return;
  if (Array.isArray(at)) gone.remove(at, Number(key));
  else Reflect.deleteProperty(at, key);
}

/** Finds the container of a path's last part, creating missing objects on the way. */
function enter(
  { root, gone }: Patched,
  parents: readonly string[],
): { readonly at: Container } | { readonly problem: Problem } {
  let at: Container = root;
  for (const part of parents) {
    const next = read(at, part, gone);
    if (isContainer(next)) {
      at = next;
      continue;
    }
    if (next !== undefined) {
      const detail = `"${part}" is neither an object nor a list.`;
      return { problem: { detail, accepted: 'a path through objects and lists' } };
    }
    const created: MutableObject = {};
    const problem = write(at, part, created, gone);
    if (problem !== undefined) return { problem };
    at = created;
  }
  return { at };
}

function append(container: Container, key: string, value: Mutable, gone: Gone): Problem {
  const list = read(container, key, gone);
  if (list === undefined) return write(container, key, [value], gone);
  if (!Array.isArray(list)) {
    return { detail: `"${key}" is not a list.`, accepted: 'the path of a list, or of nothing yet' };
  }
  list.push(value);
  return undefined;
}

/** The names in a path. Empty ones are dropped, so a leading slash has no effect. */
export function partsOf(path: string): readonly string[] {
  return path.split('/').filter((part) => part !== '');
}

export function slotOf({ state }: { readonly state: JsonObject }): JsonValue | undefined {
  return state[SUSPENSION_SLOT];
}

/** Checks a path without the state. `slotIsOpen` says whether it may lead into the record of a question. */
export function pathProblem(path: string, slotIsOpen = false): Problem {
  const parts = partsOf(path);
  if (parts.length === 0) {
    return { detail: 'The path names nothing.', accepted: 'at least one name' };
  }
  if (parts.length > MAX_PATH_PARTS) {
    const detail = `The path has more than ${MAX_PATH_PARTS} parts.`;
    return { detail, accepted: `at most ${MAX_PATH_PARTS} parts` };
  }
  if (parts[0] === SUSPENSION_SLOT && !slotIsOpen) {
    const detail = 'This slot is written by suspensions only.';
    return { detail, accepted: `a path outside ${SUSPENSION_SLOT}` };
  }
  if (!parts.some((part) => UNSAFE_KEYS.includes(part))) return undefined;
  return {
    detail: 'The path holds a reserved name.',
    accepted: `a path without ${UNSAFE_KEYS.join(', ')}`,
  };
}

function applyOne(state: Patched, patch: StatePatch): Problem {
  const parts = partsOf(patch.path);
  const key = String(parts.at(-1));
  const parents = parts.slice(0, -1);
  if (patch.op === 'remove') {
    remove(state, parents, key);
    return undefined;
  }
  const entered = enter(state, parents);
  if ('problem' in entered) return entered.problem;
  const change = patch.op === 'set' ? write : append;
  return change(entered.at, key, copyOf(patch.value), state.gone);
}

/**
 * Applies the patches of RFC-0001 to a copy of the state, all or none. A path is split at `/` without empty parts;
 * numbers index lists. `set` creates missing objects, `append` a missing list, and `remove` accepts a missing path.
 * Refuses `invalid_patch` with the field `patches[i].path`, and `state_too_large` beyond `maxBytes` of JSON, which
 * count the record of a question only if a patch writes it.
 */
export function applyPatches(
  state: JsonObject,
  patches: readonly StatePatch[],
  options: { readonly maxBytes: number; readonly slotIsOpen?: boolean },
): Ruling<JsonObject> {
  const slotIsOpen = options.slotIsOpen ?? false;
  // All paths are checked first, because refusing one of them is cheap.
  for (const [index, { path }] of patches.entries()) {
    const problem = pathProblem(path, slotIsOpen);
    if (problem !== undefined) return refusedPatch(problem, index);
  }
  const root = copyOf(state) as MutableObject;
  const gone = new Gone();
  for (const [index, patch] of patches.entries()) {
    const problem = applyOne({ root, gone }, patch);
    if (problem !== undefined) return refusedPatch(problem, index);
  }
  gone.closeUp();
  const { [SUSPENSION_SLOT]: _record, ...own } = root;
  if (jsonBytes(slotIsWritten(patches) ? root : own) <= options.maxBytes) return ok(root);
  return refuse('state_too_large', 'The patched state would be too large.', {
    accepted: `at most ${options.maxBytes} bytes of JSON`,
  });
}

function refusedPatch({ detail, accepted }: NonNullable<Problem>, index: number): Ruling<never> {
  return refuse('invalid_patch', detail, { field: `patches[${index}].path`, accepted });
}

function slotIsWritten(patches: readonly StatePatch[]): boolean {
  return patches.some(({ path }) => partsOf(path)[0] === SUSPENSION_SLOT);
}
