import { z } from 'zod';
import { WEEK_DAYS } from '../constants/week.js';
import { boundedText, eachOnce } from '../kernel/primitives.js';
import { timeZoneSchema } from '../kernel/time-zone.js';

const CLOCK = /^(?:[01]\d|2[0-3]):[0-5]\d$/;

/** A time of day. */
const clockSchema = boundedText(5)
  .refine((text) => CLOCK.test(text), { params: { accepted: 'a time from 00:00 to 23:59' } })
  .meta({ pattern: CLOCK.source });

/** When somebody wants no push and no sound. The list of questions stays what it is. */
export const quietHoursSchema = z.object({
  time_zone: timeZoneSchema.describe('The time zone of these times and days, by its IANA name.'),
  from: clockSchema.describe('When it becomes quiet each day.'),
  to: clockSchema.describe(
    'When that ends, on the next day if it is earlier. The same as `from`: no hours.',
  ),
  whole_days: eachOnce(z.enum(WEEK_DAYS), WEEK_DAYS.length)
    .default([])
    .describe('Days that are quiet from midnight to midnight.'),
});
export type QuietHours = Readonly<z.output<typeof quietHoursSchema>>;

/** Reply of `GET /me/quiet-hours`. */
export const quietHoursReplySchema = z.object({
  quiet_hours: quietHoursSchema.nullable().describe('Null if no time is quiet.'),
});
