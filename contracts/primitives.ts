import { z } from 'zod';
import { LIMITS } from './constants/limits.js';
import type { JsonObject, JsonValue } from './json.js';

/**
 * Any JSON value, as the body parser produced it. It is not walked again: what a parser made is JSON, and
 * a union tried at every node costs more than all the rest of a request.
 */
export const jsonValueSchema = z.unknown().refine((value) => value !== undefined, {
  params: { accepted: 'a JSON value' },
}) as unknown as z.ZodType<JsonValue, JsonValue>;
export const jsonObjectSchema = z.record(z.string(), z.unknown()) as unknown as z.ZodType<
  JsonObject,
  JsonObject
>;

/** An ISO-8601 instant, in UTC with `Z` and milliseconds (AM-18). */
export const instantSchema = z.iso.datetime({ offset: true });

/** An ISO-8601 instant or date as people write it: any offset, or none, which is UTC (AM-18). */
export const isoInstantSchema = z.union([
  z.iso.datetime({ offset: true, local: true }),
  z.iso.date(),
]);

/** A positive whole number of seconds within a hundred years (R25-53, R26-39). */
export const secondsSchema = z.int().min(1).max(LIMITS.windowSeconds);

/** A text with at least one character that is no space, trimmed; its length counts as it was sent. */
export const textSchema = (characters: number) =>
  z.string().max(characters).trim().min(1).meta({ pattern: '\\S' });

/** A name of a person, agent, channel or scope. */
export const nameSchema = textSchema(LIMITS.nameCharacters);

/** A list of at most so many, that names each once. */
export const eachOnce = <T extends z.ZodType<string, string>>(item: T, most: number) =>
  z
    .array(item)
    .max(most)
    .refine((all) => new Set(all).size === all.length, { params: { accepted: 'each once' } })
    .meta({ uniqueItems: true });

/** A number from 0 to 1; anything else is refused, not clamped (R25-70). */
export const unitSchema = z.number().min(0).max(1);
