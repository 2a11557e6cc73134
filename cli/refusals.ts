import { ENDINGS } from '../contracts/constants/statuses.js';
import { detailWithAccepted } from '../contracts/constants/shown-refusal.js';
import type { ShownRefusal } from '../contracts/constants/shown-refusal.js';
import type { JsonValue } from '../contracts/kernel/primitives.js';
import { localTime, shownValue } from './text.js';

/** The service's text for a refusal. */
interface Refused extends ShownRefusal {
  readonly state?: Readonly<Record<string, JsonValue>> | undefined;
}

/** Returns the holder of the claim, its end, and the option to answer nevertheless. */
function claimedText({ field, state: { holder, expires_at } = {} }: Refused): string | undefined {
  if (typeof holder !== 'string' || typeof expires_at !== 'string') return undefined;
  const despite = field === 'despite_claim' ? ' To answer all the same, add --despite-claim.' : '';
  return `${holder} has claimed the question until ${localTime(expires_at)}.${despite}`;
}

function isResolution(resolution: JsonValue | undefined): resolution is keyof typeof ENDINGS {
  return typeof resolution === 'string' && Object.hasOwn(ENDINGS, resolution);
}

/** Returns how a question ended, by whom, when, and with which value, as far as the service reveals it. */
function settledText({ state = {} }: Refused): string | undefined {
  const { resolution, responded_by, settled_at, value } = state;
  if (!isResolution(resolution)) return undefined;
  const by = typeof responded_by === 'string' ? ` by ${responded_by}` : '';
  const when = typeof settled_at === 'string' ? `, ${localTime(settled_at)}` : '';
  const what = value === undefined ? '' : `: ${shownValue(value)}`;
  return `The question ${ENDINGS[resolution]}${by}${when}${what}.`;
}

/** Returns the text of a refusal with the accepted values, in the words of the command line. */
export function refusalText(refused: Refused): string {
  const { code } = refused;
  if (code === 'claimed_by_other') return claimedText(refused) ?? refused.detail;
  if (code === 'suspension_settled') return settledText(refused) ?? refused.detail;
  return detailWithAccepted(refused);
}
