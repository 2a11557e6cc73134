import type { z } from 'zod';
import type { StatePatch } from '../../contracts/intent.js';
import { bodyError } from './field-errors.js';
import type { stateSchema } from './schemas.js';

/**
 * The patches that a state write stands for: `{state}` is a merge of top-level keys.
 *
 * @throws FieldErrors where a key is no single step of a path
 */
export function patchesOf({ patches, state }: z.output<typeof stateSchema>): readonly StatePatch[] {
  if (patches) return patches;
  return Object.entries(state ?? {}).map(([key, value]) => {
    if (key === '' || key.includes('/')) {
      throw bodyError(['state', key], 'A key has a character at least, and no slash', value);
    }
    return { op: 'set', path: key, value };
  });
}
