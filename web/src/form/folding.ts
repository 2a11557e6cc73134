import type { JsonValue } from '../../../contracts/kernel/primitives.js';
import { enteredAs } from './field.js';
import type { Entered, Field } from './field.js';

/*
 * An optional part that has a value of its own, such as a default, is left out and folded until somebody adds it: nobody has
 * chosen that value yet.
 */

/** Whether nobody has added the part, or somebody has removed it, and it has no default of its own. */
export function staysOut(entered: Entered | undefined, preset: JsonValue | undefined): boolean {
  const isRemoved = enteredAs(entered, 'isRemoved') !== undefined;
  return isRemoved || (entered === undefined && preset === undefined);
}

/** Whether a field has a value that nobody has entered: a default, or a required object. */
export function saysByItself(field: Field): boolean {
  if (field.preset !== undefined || field.kind === 'fixed') return true;
  switch (field.kind) {
    case 'group':
      return (
        field.isRequired || field.isFolded || field.members.some(([, one]) => saysByItself(one))
      );
    case 'list':
      return field.isFolded || field.items.some(saysByItself);
    default:
      return false;
  }
}
