import type { JsonObject, JsonValue } from '../../../contracts/kernel/primitives.js';
import type { Option } from '../../../domain/schema/options.js';

/**
 * What somebody has entered into a field, as a draft keeps it. It is undefined until somebody touches the field;
 * until then a default of the schema counts. `readField` turns it into a value to send.
 */
export type Entered =
  | string
  | boolean
  | null
  | { readonly chosen: JsonValue | undefined }
  | { readonly several: readonly JsonValue[] }
  | { readonly entries: readonly Entry[] }
  | { readonly of: Readonly<Record<string, Entered>>; readonly more?: readonly Entry[] }
  | { readonly branch: number; readonly inner?: Entered }
  | { readonly isRemoved: true };

/** An item of a list, or a part that somebody has named. */
export interface Entry {
  readonly name?: string;
  readonly inner?: Entered;
  readonly preset?: JsonValue;
}

/** Returns what was entered if it has this name, such as `of` if it was entered into a group. */
export function enteredAs<Name extends string>(entered: Entered | undefined, name: Name) {
  const isSo = typeof entered === 'object' && entered !== null && name in entered;
  return isSo ? (entered as Extract<Entered, Readonly<Record<Name, unknown>>>) : undefined;
}

interface Common {
  readonly title: string | undefined;
  readonly description: string | undefined;
  readonly isRequired: boolean;
  /** Whether null is a value beside the others. */
  readonly isNullable: boolean;
  readonly entered: Entered | undefined;
  /** The default that counts until somebody touches the field. */
  readonly preset: JsonValue | undefined;
  /** The schema's demands on the value itself, without its parts. */
  readonly schema: JsonObject;
}

export interface TextField extends Common {
  readonly kind: 'text';
  readonly format: string | undefined;
}
export interface NumberField extends Common {
  readonly kind: 'number';
}
export interface TickField extends Common {
  readonly kind: 'tick';
}
export interface ChoiceField extends Common {
  readonly kind: 'choice';
  readonly options: readonly Option[];
}
export interface SeveralField extends Common {
  readonly kind: 'several';
  readonly options: readonly Option[];
}
export interface ListField extends Common {
  readonly kind: 'list';
  readonly entries: readonly Entry[];
  readonly items: readonly Field[];
  readonly canGrow: boolean;
  /** How many items have a schema of their own. They come first. */
  readonly fixed: number;
  /** Whether somebody can say that the list is empty. */
  readonly canBeEmpty: boolean;
  /** Whether it is omitted and hidden until somebody adds it. */
  readonly isFolded: boolean;
  /** Whether it can be added and removed as a whole. */
  readonly canFold: boolean;
}
export interface GroupField extends Common {
  readonly kind: 'group';
  readonly members: readonly (readonly [string, Field])[];
  /** Parts that somebody has named; undefined if the schema allows none. */
  readonly more: readonly { readonly entry: Entry; readonly field: Field }[] | undefined;
  /** Whether it is omitted and hidden until somebody adds it. */
  readonly isFolded: boolean;
  /** Whether it can be added and removed as a whole. */
  readonly canFold: boolean;
}
export interface UnionField extends Common {
  readonly kind: 'union';
  readonly labels: readonly string[];
  readonly branch: number | undefined;
  readonly inner: Field | undefined;
}
export interface JsonField extends Common {
  readonly kind: 'json';
}
/** A value that is shown and cannot be changed: it belongs to the chosen branch, or is the default of a read-only part. */
export interface FixedField extends Common {
  readonly kind: 'fixed';
  readonly value: JsonValue;
}

export type Field =
  | TextField
  | NumberField
  | TickField
  | ChoiceField
  | SeveralField
  | ListField
  | GroupField
  | UnionField
  | JsonField
  | FixedField;

/** Returns the parts of a group with their names: first those of the schema, then those that somebody has named. */
export function partsIn({ members, more = [] }: GroupField): readonly (readonly [string, Field])[] {
  return [...members, ...more.map(({ entry, field }) => [entry.name ?? '', field] as const)];
}

export interface Part {
  readonly schema: JsonValue;
  readonly isRequired: boolean;
  readonly entered?: Entered | undefined;
  /** Its part of the default of the value that it is in. */
  readonly preset?: JsonValue | undefined;
  /** The names whose values belong to the chosen branch of a union. */
  readonly fixed?: ReadonlyMap<string, JsonValue>;
}

export interface Budget {
  /** How many places the whole form may still have: nested conditions multiply them. */
  left: number;
  /** Whether a default of the schema counts where nothing is entered; not for a value that is there already. */
  readonly usesDefaults: boolean;
}

export interface Place extends Part {
  readonly root: JsonObject;
  readonly depth: number;
  readonly budget: Budget;
}

/** A place with a flat schema: references are merged into it. */
export interface FlatPlace extends Place {
  readonly schema: JsonObject;
  readonly common: Omit<JsonField, 'kind'>;
  /** Plans the field of a part, which is one level deeper unless `depth` says otherwise. */
  readonly plan: (part: Part, depth?: number) => Field;
}

/** Returns the limits of a field in words, before anybody enters a wrong value; undefined without limits. */
export function limitsOf({ kind, schema }: Pick<Field, 'kind' | 'schema'>): string | undefined {
  const parts = partsOf(kind, schema).filter((part) => part !== undefined);
  const said = parts.join(', ');
  return said === '' ? undefined : `${said.charAt(0).toUpperCase()}${said.slice(1)}.`;
}

function partsOf(kind: Field['kind'], schema: JsonObject): readonly (string | undefined)[] {
  switch (kind) {
    case 'number':
      return [
        schema['type'] === 'integer' ? 'A whole number' : undefined,
        between(schema['minimum'], schema['maximum']),
        limit('more than', schema['exclusiveMinimum']),
        limit('less than', schema['exclusiveMaximum']),
        limit('in steps of', schema['multipleOf']),
      ];
    case 'text':
      return [
        between(schema['minLength'], schema['maxLength'], ' characters'),
        typeof schema['pattern'] === 'string' ? `matches ${schema['pattern']}` : undefined,
      ];
    case 'list':
    case 'several':
      return [
        between(schema['minItems'], schema['maxItems'], ' entries'),
        schema['uniqueItems'] === true && kind === 'list' ? 'each another one' : undefined,
      ];
    default:
      return [];
  }
}

function between(
  least: JsonValue | undefined,
  most: JsonValue | undefined,
  unit = '',
): string | undefined {
  if (typeof least === 'number' && typeof most === 'number') return `${least} to ${most}${unit}`;
  if (typeof least === 'number') return `at least ${least}${unit}`;
  return typeof most === 'number' ? `at most ${most}${unit}` : undefined;
}

function limit(words: string, value: JsonValue | undefined): string | undefined {
  return typeof value === 'number' ? `${words} ${value}` : undefined;
}
