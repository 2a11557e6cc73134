import type { JsonObject, JsonValue } from '../../contracts/kernel/primitives.js';
import { takesAnything } from './anything.js';
import { objectFault, arrayFault, numberFault, stringFault } from './bounds.js';
import type { Contradiction } from './bounds.js';
import { definedIn } from './definitions.js';
import { flatSchema, hasConditions, listed } from './flat.js';
import { JudgingBudget, judgeBySchema } from './judge.js';
import { isJsonObject } from '../kernel/json.js';

type Path = Contradiction['path'];
type Type = 'null' | 'boolean' | 'string' | 'number' | 'integer' | 'array' | 'object';

const ALL: readonly Type[] = ['null', 'boolean', 'string', 'number', 'array', 'object'];
/** The number of schemas that are examined; later ones count as possible. */
const MOST_VISITS = 300;
/** The keywords that are left out when the branches of a schema are examined. */
const BRANCHES = ['anyOf', 'oneOf'] as const;

/**
 * Looks for contradictions in a checked schema: crossed bounds, values and exclusions that do not fit, also in
 * required parts. No value fits what it finds; it does not find all. The work is limited.
 */
export class Contradictions {
  private readonly root: JsonObject;
  private readonly budget = new JudgingBudget();
  private visits = 0;

  constructor(root: JsonObject) {
    this.root = root;
  }

  /** Returns why no value fits a schema within the root, or undefined. `types` are those that the value may have. */
  in(schema: JsonValue, path: Path = [], types = ALL): Contradiction | undefined {
    this.visits += 1;
    if (this.visits > MOST_VISITS) return undefined;
    if (schema === false) return { path, why: 'The schema allows no value here.' };
    if (!isJsonObject(schema)) return undefined;
    if (takesAnything(schema['not'], this.root)) {
      return { path: [...path, 'not'], why: 'Every value is excluded.' };
    }
    return (
      this.inApplied(schema, path, types) ??
      this.inValues(schema, path, types) ??
      this.inBranches(schema, path, types)
    );
  }

  /** Whether a value fits a schema, or may if judging would take too long. */
  mayFit(schema: JsonValue, value: JsonValue): boolean {
    if (!isJsonObject(schema)) return schema !== false;
    const { $defs } = this.root;
    const whole = $defs === undefined ? schema : { ...schema, $defs };
    return judgeBySchema(whole, value, '', this.budget).ok || this.budget.left < 0;
  }

  /** The schemas that hold for the same value. */
  private inApplied(schema: JsonObject, path: Path, types: readonly Type[]) {
    const { $ref, if: condition, then: yes = true, else: no = true } = schema;
    const target = definedIn(this.root, $ref);
    const named = target === undefined ? undefined : this.in(target, [...path, '$ref'], types);
    if (named) return named;
    for (const [index, part] of listed(schema['allOf']).entries()) {
      const found = this.in(part, [...path, 'allOf', index], types);
      if (found) return found;
    }
    if (condition === undefined) return undefined;
    const isAlways = takesAnything(condition, this.root);
    const then = this.in(yes, [...path, 'then'], types);
    return then && (isAlways ? then : this.in(no, [...path, 'else'], types) && then);
  }

  private inValues(schema: JsonObject, path: Path, types: readonly Type[]) {
    const left = this.typesLeft(schema, types);
    if (left.length === 0) return { path, why: 'No type of values is left.' };
    const values = this.valuesOf(schema) ?? finite(left);
    if (values !== undefined) {
      const fits = values.some((value) => isOfOne(left, value) && this.mayFit(schema, value));
      return fits ? undefined : { path, why: 'None of the values that it lists fits it.' };
    }
    const isPlain = !hasConditions(schema, this.root);
    const flat = (isPlain ? flatSchema(schema, this.root) : undefined) ?? schema;
    let first: Contradiction | undefined;
    for (const type of left) {
      const found = this.ofType(type, flat, schema, path);
      if (found === undefined) return undefined;
      first ??= found;
    }
    return first;
  }

  private ofType(
    type: Type,
    flat: JsonObject,
    own: JsonObject,
    path: Path,
  ): Contradiction | undefined {
    switch (type) {
      case 'string':
        return stringFault(flat, path);
      case 'number':
      case 'integer':
        return numberFault(flat, path, type === 'integer');
      case 'array':
        return arrayFault(flat, own, path, this);
      case 'object':
        return objectFault(flat, path, this);
      default:
        return undefined;
    }
  }

  /** Examines each branch with what stands beside it. */
  private inBranches(schema: JsonObject, path: Path, types: readonly Type[]) {
    if (this.valuesOf(schema) !== undefined) return undefined;
    for (const keyword of BRANCHES) {
      const branches = listed(schema[keyword]);
      if (branches.length === 0) continue;
      const { [keyword]: _branches, ...beside } = schema;
      let first: Contradiction | undefined;
      const isNone = branches.every((branch, index) => {
        const at = [...path, keyword, index];
        const found = this.in(branch, at, types) ?? this.in({ allOf: [beside, branch] }, at, types);
        first ??= found;
        return found !== undefined;
      });
      if (isNone) return first;
    }
    return undefined;
  }

  /** The types that a value may have by what holds for it. */
  private typesLeft(schema: JsonValue | undefined, types: readonly Type[]): readonly Type[] {
    if (!isJsonObject(schema)) return types;
    const { type, not, allOf, $ref } = schema;
    const own = listed(type) as readonly Type[];
    let left = own.length === 0 ? types : both(types, own);
    if (isJsonObject(not) && Object.keys(not).every((keyword) => keyword === 'type')) {
      const excluded = listed(not['type']);
      left = left.filter(
        (one) => !excluded.includes(one) && !(one === 'integer' && excluded.includes('number')),
      );
    }
    for (const part of [definedIn(this.root, $ref), ...listed(allOf)]) {
      left = this.typesLeft(part, left);
    }
    return left;
  }

  /** The values of which a fitting one has to be one; undefined where they are not listed. */
  private valuesOf(schema: JsonValue | undefined): readonly JsonValue[] | undefined {
    if (!isJsonObject(schema)) return schema === false ? [] : undefined;
    if ('const' in schema) return [schema['const'] ?? null];
    if ('enum' in schema) return listed(schema['enum']);
    for (const part of [definedIn(this.root, schema['$ref']), ...listed(schema['allOf'])]) {
      const values = this.valuesOf(part);
      if (values !== undefined) return values;
    }
    for (const keyword of BRANCHES) {
      const branches = listed(schema[keyword]).map((branch) => this.valuesOf(branch));
      if (branches.length === 0 || branches.includes(undefined)) continue;
      return branches.flatMap((values) => values ?? []);
    }
    return undefined;
  }
}

/** The types that are in both lists. What is a whole number is a number. */
function both(one: readonly Type[], other: readonly Type[]): readonly Type[] {
  const has = (types: readonly Type[], type: Type) =>
    types.includes(type) || (type === 'integer' && types.includes('number'));
  const all = [...new Set([...one, ...other])].filter((type) => has(one, type) && has(other, type));
  return all.includes('number') ? all.filter((type) => type !== 'integer') : all;
}

/** All values of types that have only a few. */
function finite(types: readonly Type[]): readonly JsonValue[] | undefined {
  if (types.some((type) => type !== 'null' && type !== 'boolean')) return undefined;
  return types.flatMap((type): JsonValue[] => (type === 'null' ? [null] : [true, false]));
}

function isOfOne(types: readonly Type[], value: JsonValue): boolean {
  if (value === null) return types.includes('null');
  if (Array.isArray(value)) return types.includes('array');
  const type = typeof value as Type;
  return types.includes(type) || (Number.isInteger(value) && types.includes('integer'));
}
