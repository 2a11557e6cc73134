import type { JsonValue } from '../../../contracts/primitives.js';
import type { Entered, Field } from './field.js';

/*
 * What is optional and would say something by itself stays out, and is folded, until somebody adds it: nobody has chosen it yet.
 */

/** Whether somebody took out as a whole what a default would bring. */
export function isRemoved(entered: Entered | undefined): boolean {
  return typeof entered === 'object' && entered !== null && 'isRemoved' in entered;
}

/** Whether nobody has added it, and no default of its own does. */
export function staysOut(entered: Entered | undefined, preset: JsonValue | undefined): boolean {
  return isRemoved(entered) || (entered === undefined && preset === undefined);
}

/** Whether a field says something that nobody has entered: a default, or an object that has to be there. */
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
