import { ENDINGS } from '../contracts/constants/statuses.js';
import { acceptedInstead } from '../contracts/constants/told.js';
import type { Told } from '../contracts/constants/told.js';
import type { JsonValue } from '../contracts/primitives.js';
import { localTime, shownValue } from './text.js';

/** What the service says of a refusal, alone or as one of many. */
export interface Refused extends Told {
  readonly state?: Readonly<Record<string, JsonValue>> | undefined;
}

/** Who has the question, until when, and by which option of the command an answer counts all the same. */
function claimedText({ field, state: { holder, expires_at } = {} }: Refused): string | undefined {
  if (typeof holder !== 'string' || typeof expires_at !== 'string') return undefined;
  const despite = field === 'despite_claim' ? ' To answer all the same, add --despite-claim.' : '';
  return `${holder} has claimed the question until ${localTime(expires_at)}.${despite}`;
}

function isResolution(resolution: JsonValue | undefined): resolution is keyof typeof ENDINGS {
  return typeof resolution === 'string' && Object.hasOwn(ENDINGS, resolution);
}

/** How a question ended, by whom, when, and with which value; as far as the service tells it. */
function settledText({ state = {} }: Refused): string | undefined {
  const { resolution, responded_by, settled_at, value } = state;
  if (!isResolution(resolution)) return undefined;
  const by = typeof responded_by === 'string' ? ` by ${responded_by}` : '';
  const when = typeof settled_at === 'string' ? `, ${localTime(settled_at)}` : '';
  const what = value === undefined ? '' : `: ${shownValue(value)}`;
  return `The question ${ENDINGS[resolution]}${by}${when}${what}.`;
}

/** What a refusal says, and what would be accepted, in the words of the command line. */
export function refusalText(refused: Refused): string {
  const { code, detail, field } = refused;
  if (code === 'claimed_by_other') return claimedText(refused) ?? detail;
  if (code === 'suspension_settled') return settledText(refused) ?? detail;
  const allowed = acceptedInstead(refused);
  if (allowed === undefined) return detail;
  return `${detail} Accepted${field === undefined ? '' : ` for ${field}`}: ${allowed}.`;
}
