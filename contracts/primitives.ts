import { z } from 'zod';
import { LIMITS } from './constants/limits.js';
import type { JsonObject, JsonValue } from './json.js';

/** Any JSON value, as the body parser produced it. */
export const jsonValueSchema: z.ZodType<JsonValue, JsonValue> = z.json();
export const jsonObjectSchema: z.ZodType<JsonObject, JsonObject> = z.record(
  z.string(),
  jsonValueSchema,
);

/** An ISO-8601 instant, in UTC with `Z` and milliseconds (AM-18). */
export const instantSchema = z.iso.datetime({ offset: true });

/** A positive whole number of seconds within a hundred years (R25-53, R26-39). */
export const secondsSchema = z.int().min(1).max(LIMITS.windowSeconds);

/** A name of a person, agent, channel or scope. */
export const nameSchema = z.string().trim().min(1).max(LIMITS.nameCharacters);

/** A number from 0 to 1; anything else is refused, not clamped (R25-70). */
export const unitSchema = z.number().min(0).max(1);
