import type { JsonObject } from '../index.js';

/** What `jsonSchema(…)` of `ai` returns, or a Standard JSON Schema such as those of zod since 4.2. */
interface Schema {
  readonly jsonSchema?: unknown;
  readonly '~standard'?: { readonly jsonSchema?: { input(options: object): unknown } };
}

/** Returns the JSON Schema of a tool's arguments, or undefined if the schema cannot say it. */
export async function jsonSchemaOf(given: unknown): Promise<JsonObject | undefined> {
  const isLazy = typeof given === 'function' && !('~standard' in given);
  const schema = ((isLazy ? (given as () => unknown)() : given) ?? {}) as Schema;
  const standard = schema['~standard']?.jsonSchema;
  const itself: unknown = 'properties' in schema ? schema : undefined;
  const found = await (schema.jsonSchema ?? standard?.input({ target: 'draft-2020-12' }) ?? itself);
  if (found === undefined) return undefined;
  const { $schema: _dialect, ...rest } = JSON.parse(
    JSON.stringify(found),
    withoutPattern,
  ) as JsonObject;
  return rest;
}

/** zod adds its own pattern to a format. Holdpoint knows the formats, and refuses such slow patterns. */
function withoutPattern(_name: string, part: unknown): unknown {
  const { pattern: _slow, ...rest } = (part ?? {}) as {
    readonly pattern?: unknown;
    format?: unknown;
  };
  return typeof rest.format === 'string' ? rest : part;
}
