import type { JsonObject, JsonValue } from '../../../contracts/kernel/primitives.js';
import type { Field } from './field.js';

/** Says in words what a field takes, before anybody enters something that it does not; undefined if the schema sets no limit. */
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
