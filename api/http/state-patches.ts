import { stateRequestSchema, type StatePatch } from '../../contracts/intent/intent.js';
import type { JsonObject } from '../../contracts/kernel/primitives.js';
import { pathProblem } from '../../domain/intent/state-patch.js';
import { RefusalError } from '../errors.js';
import { parseInput } from './input.js';
import { fieldPath } from '../../contracts/constants/field-path.js';

const [patchesSchema, mergeSchema] = stateRequestSchema.options;

/**
 * Turns a merge of top-level keys into patches, one `set` each.
 * @param faultOf - returns the error of a refused key: one that is empty or holds a slash
 */
export function mergePatches(
  state: JsonObject,
  faultOf: (key: string, isOneStep: boolean) => RefusalError | undefined,
): readonly StatePatch[] {
  return Object.entries(state).map(([key, value]) => {
    const fault = faultOf(key, key !== '' && !key.includes('/'));
    if (fault !== undefined) throw fault;
    return { op: 'set', path: key, value };
  });
}

function keyFault(key: string, isOneStep: boolean): RefusalError | undefined {
  const field = fieldPath(['state', key]);
  if (!isOneStep) {
    return new RefusalError({
      code: 'invalid_patch',
      detail: 'A key that is empty or holds a slash is no single step of a patch path.',
      field,
      accepted: 'a key of at least one character, without a slash',
    });
  }
  const problem = pathProblem(key);
  return problem && new RefusalError({ code: 'invalid_patch', ...problem, field });
}

/**
 * Reads the body of a state write: `{patches}` as it is, `{state}` as a merge of top-level keys, one `set` each.
 *
 * @param body - an object
 * @throws RefusalError if it holds neither or both, or a key that no path can name
 */
export function statePatchesOf(body: object): readonly StatePatch[] {
  const merges = 'state' in body;
  if (merges === 'patches' in body) {
    throw new RefusalError({
      code: 'invalid_request',
      detail: merges
        ? 'patches and state do not go together.'
        : 'Neither patches nor state is there.',
      field: 'patches',
      accepted: 'either patches or state',
    });
  }
  if (!merges) return parseInput(patchesSchema, body).patches;
  const patches = mergePatches(parseInput(mergeSchema, body).state, keyFault);
  if (patches.length > 0) return patches;
  throw new RefusalError({
    code: 'invalid_request',
    detail: 'state holds no key to set.',
    field: 'state',
    accepted: 'an object with at least one key',
  });
}
