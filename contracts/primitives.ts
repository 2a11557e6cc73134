import { z } from 'zod';
import { LIMITS } from './constants/limits.js';

/** Any JSON value. */
export type JsonValue =
  string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

export type JsonObject = Readonly<Record<string, JsonValue>>;

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

/** Whether the store can hold an instant or date: the years 1 to 9999 in UTC. What is none passes here. */
function hasItsYear(instant: string): boolean {
  const isLocal = /T(?!.*(?:Z|[+-]\d{2}:?\d{2})$)/i.test(instant);
  const ms = Date.parse(isLocal ? `${instant}Z` : instant);
  return !(ms < Date.parse('0001-01-01T00:00:00Z') || ms >= Date.parse('+010000-01-01T00:00:00Z'));
}
const WITHIN_YEARS = { params: { accepted: 'an ISO-8601 instant of the years 1 to 9999' } };

/** An ISO-8601 instant, in UTC with `Z` and milliseconds (AM-18). */
export const instantSchema = z.iso.datetime({ offset: true }).refine(hasItsYear, WITHIN_YEARS);

/** An ISO-8601 instant with any offset, or with none, which is UTC (AM-18). */
export const zonelessInstantSchema = z.iso
  .datetime({ offset: true, local: true })
  .refine(hasItsYear, WITHIN_YEARS);

/** An ISO-8601 instant or date as people write it (AM-18). */
export const isoInstantSchema = z.union([
  zonelessInstantSchema,
  z.iso.date().refine(hasItsYear, WITHIN_YEARS),
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
