import type { JsonObject, JsonValue } from '../../../contracts/primitives.js';
import type { Option } from '../../../domain/schema/options.js';

/**
 * What somebody has entered into a field, as it is kept in a draft; undefined while nobody has touched it, so that the default of
 * the schema counts, if it has one. It is nothing that could be sent: only `readField` makes a value of it.
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

/** One of a list, or of the parts whose names somebody gives. */
export interface Entry {
  readonly name?: string;
  readonly inner?: Entered;
  /** What it begins with: its part of a default. */
  readonly preset?: JsonValue;
}

interface Common {
  readonly title: string | undefined;
  readonly description: string | undefined;
  readonly isRequired: boolean;
  /** Whether null is a value beside the others. */
  readonly isNullable: boolean;
  readonly entered: Entered | undefined;
  /** The default that counts while nobody has touched it. */
  readonly preset: JsonValue | undefined;
  /** What the schema asks of the value itself, whatever is within it. */
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
  /** Whether one more may be added. */
  readonly canGrow: boolean;
  /** How many come first, each with a field of its own. */
  readonly fixed: number;
  /** Whether it may be there without anything in it. */
  readonly canBeEmpty: boolean;
  /** Whether it stays out, and is not shown, until somebody adds it. */
  readonly isFolded: boolean;
  /** Whether it can be added and removed as a whole. */
  readonly canFold: boolean;
}
export interface GroupField extends Common {
  readonly kind: 'group';
  readonly members: readonly (readonly [string, Field])[];
  /** Parts whose names somebody gives; undefined where there can be none. */
  readonly more: readonly { readonly entry: Entry; readonly field: Field }[] | undefined;
  /** Whether it stays out, and is not shown, until somebody adds it. */
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
/** What is shown and cannot be changed: it comes with a branch that somebody chose, or is a default of what is read only. */
export interface FixedField extends Common {
  readonly kind: 'fixed';
  readonly value: JsonValue;
}

/** One input of a form, with all within it. */
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
