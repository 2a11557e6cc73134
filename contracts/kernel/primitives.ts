import { z } from 'zod';
import { LIMITS } from '../constants/limits.js';
import { isBlank } from '../constants/visible-text.js';

export type JsonValue =
  string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

export type JsonObject = Readonly<Record<string, JsonValue>>;

/** Any JSON value. The body parser has produced it, so it is not checked again, which would be slow. */
export const jsonValueSchema = z.unknown().refine((value) => value !== undefined, {
  params: { accepted: 'a JSON value' },
}) as unknown as z.ZodType<JsonValue, JsonValue>;
/** An object with JSON values, checked no deeper than its keys. */
export const jsonObjectSchema = z.record(z.string(), z.unknown()) as unknown as z.ZodType<
  JsonObject,
  JsonObject
>;

/** A text of at most this many characters. Its length is checked first, so that no other check takes long. */
export const boundedText = (characters: number) => z.string().max(characters, { abort: true });

const VARIABLE = /^\$[A-Za-z_]\w*$/;

export function isVariable(text: string): boolean {
  return VARIABLE.test(text);
}

/** A value of a form, such as a secret, or `$NAME` for the environment variable that contains it. */
export const variableOr = (isValue: (text: string) => boolean, form: string, characters: number) =>
  boundedText(characters).refine((text) => isVariable(text) || isValue(text), {
    params: { accepted: `$NAME of an environment variable, or ${form}` },
  });

/** Longer than every instant of the accepted forms, fractions of a second included. */
const INSTANT_CHARACTERS = 64;
const NAMES_ITS_ZONE = /(?:Z|[+-]\d{2}:?\d{2})$/;

/** Whether the store can hold an instant or date: its year in UTC is from 1 to 9999. */
function hasItsYear(instant: string): boolean {
  const isLocal = instant.includes('T') && !NAMES_ITS_ZONE.test(instant);
  const ms = Date.parse(isLocal ? `${instant}Z` : instant);
  return !(ms < Date.parse('0001-01-01T00:00:00Z') || ms >= Date.parse('+010000-01-01T00:00:00Z'));
}
const WITHIN_YEARS = { params: { accepted: 'an ISO-8601 instant of the years 1 to 9999' } };

/** An ISO-8601 instant. Our own are in UTC, with milliseconds and `Z`. */
export const instantSchema = boundedText(INSTANT_CHARACTERS)
  .check(z.iso.datetime({ offset: true, abort: true }))
  .refine(hasItsYear, WITHIN_YEARS);

/** An ISO-8601 instant with or without an offset. Without one it is in UTC. */
export const zonelessInstantSchema = boundedText(INSTANT_CHARACTERS)
  .check(z.iso.datetime({ offset: true, local: true, abort: true }))
  .refine(hasItsYear, WITHIN_YEARS);

export const isoInstantSchema = z.union([
  zonelessInstantSchema,
  boundedText(INSTANT_CHARACTERS)
    .check(z.iso.date({ abort: true }))
    .refine(hasItsYear, WITHIN_YEARS),
]);

/** A whole number of seconds, from 1 to a hundred years (R25-53, R26-39). */
export const secondsSchema = z.int().min(1).max(LIMITS.windowSeconds);

const VISIBLE = { params: { accepted: 'a text that people can see' } };

/** A text with at least one visible character. Its length is checked before it is trimmed. */
export const textSchema = (characters: number) =>
  boundedText(characters)
    .trim()
    .min(1, { abort: true })
    .refine((text) => !isBlank(text), VISIBLE)
    .meta({ pattern: '\\S' });

/** A text for people: kept with all white space, and refused only if nothing in it is visible. */
export const writtenSchema = (characters: number) =>
  boundedText(characters)
    .refine((text) => !isBlank(text), VISIBLE)
    .meta({ pattern: '\\S' });

export const nameSchema = textSchema(LIMITS.nameCharacters);

/** A list of at most `most` entries without repetitions. */
export const eachOnce = <T extends z.ZodType<string, string>>(item: T, most: number) =>
  z
    .array(item)
    .max(most)
    .refine((all) => new Set(all).size === all.length, { params: { accepted: 'each once' } })
    .meta({ uniqueItems: true });

/** A number from 0 to 1. Other numbers are refused and not clamped (R25-70). */
export const unitSchema = z.number().min(0).max(1);

/** A question, an intent or an approval in its space; ids are unique within a space. */
export interface EntityKey {
  readonly id: string;
  readonly space: string;
}

const ZONE_CHARACTERS = 64;

/** Refuses offsets such as `+01:00`, which some engines accept, because they do not follow summer time. */
function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** The name of a time zone in the IANA database, such as `Europe/Berlin`; offsets are refused. */
export const timeZoneSchema = boundedText(ZONE_CHARACTERS).refine(isTimeZone, {
  params: { accepted: 'a time zone of IANA, such as Europe/Berlin' },
});
