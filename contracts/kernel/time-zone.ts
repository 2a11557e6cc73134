import { boundedText } from './primitives.js';

const ZONE_CHARACTERS = 64;

/** Offsets such as `+01:00`, which some engines know too, do not follow summer time. */
function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** The name of a time zone in the IANA database, as in `Europe/Berlin`. An offset is none. */
export const timeZoneSchema = boundedText(ZONE_CHARACTERS).refine(isTimeZone, {
  params: { accepted: 'a time zone of IANA, such as Europe/Berlin' },
});
