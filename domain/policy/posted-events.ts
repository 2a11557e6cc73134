import {
  COORDINATOR_EVENT_TYPES,
  EVENT_TYPES,
  KNOWN_EVENT_TYPES,
  PORTFOLIO_EVENT_TYPES,
} from '../../contracts/constants/events.js';
import type { JsonObject } from '../../contracts/kernel/primitives.js';
import type { Ruling } from '../../contracts/kernel/problem.js';
import { joinedAsRead, looksLike, withoutSplitD, wordsAsRead } from '../kernel/look-alikes.js';
import { ok, refuse } from '../kernel/ruling.js';

/** The events that the OpenIntent SDK posts itself: stored once, marked as claimed, and without effect. */
const CLAIMS: readonly string[] = [
  'intent.suspended',
  'intent.suspension_renotified',
  'intent.suspension_escalated',
  'agent_assigned',
  'engagement.decision',
];

/** An agent's report about its own work. */
const OWN: readonly string[] = ['comment'];
const OWN_FAMILIES: readonly string[] = ['tool_call', 'llm_request', 'stream'];

/** Families of which specifications define some types, and may define more. */
const RESERVED_FAMILIES: readonly string[] = ['approval', 'composer', 'proposal'];

const RESERVED_TYPES: readonly string[] = [
  ...EVENT_TYPES,
  ...PORTFOLIO_EVENT_TYPES,
  ...COORDINATOR_EVENT_TYPES,
  ...KNOWN_EVENT_TYPES,
];

function asRead(name: string): string {
  return joinedAsRead(wordsAsRead(name));
}

/** The types and families in the form in which a reader sees them, to compare them with types that clients post. */
interface Names {
  readonly own: readonly string[];
  readonly ownFamilies: readonly string[];
  readonly reserved: readonly string[];
  readonly reservedFamilies: readonly string[];
}

/** Created lazily: each workflow loads this module, and few judge a type. */
let names: Names | undefined;

function namesAsRead(): Names {
  names ??= {
    own: OWN.map(asRead),
    ownFamilies: OWN_FAMILIES.map(asRead),
    reserved: RESERVED_TYPES.map(asRead),
    reservedFamilies: RESERVED_FAMILIES.map(asRead),
  };
  return names;
}

/** Whether the first words of a type are the name of a family, and more words follow. */
function isIn(families: readonly string[], words: readonly string[]): boolean {
  return words.some((_word, index) => {
    const first = joinedAsRead(words.slice(0, index));
    return families.some((family) => looksLike(first, family));
  });
}

function mayBe(form: string, reserved: string): boolean {
  return looksLike(form, reserved) || withoutSplitD(form) === withoutSplitD(reserved);
}

/** Whether the OpenIntent SDK posts this type itself, although the server writes it too. */
export function isClaim(type: string): boolean {
  return CLAIMS.includes(type);
}

/**
 * Judges the type of an event that a client posts. Refuses `invalid_request` for types that the server or a
 * specification writes, in any spelling, except those that the OpenIntent SDK posts.
 */
export function checkPostedType(type: string): Ruling<true> {
  const words = wordsAsRead(type);
  const form = joinedAsRead(words);
  const { own, ownFamilies, reserved, reservedFamilies } = namesAsRead();
  const isOwn = own.includes(form) || isIn(ownFamilies, words);
  const isReserved = reserved.some((one) => mayBe(form, one)) || isIn(reservedFamilies, words);
  if (isOwn || isClaim(type) || !isReserved) return ok(true);
  return refuse('invalid_request', 'Only the server writes events of this type.', {
    field: 'event_type',
    accepted: 'an event type that the server does not write itself',
  });
}

const ABOUT_QUESTIONS: readonly string[] = CLAIMS.filter((type) => type.startsWith('intent.'));

/**
 * Whether a posted event is about the question of its intent. Until that question is recorded, any event is.
 *
 * @param openId - the id of the open question, if there is one yet
 */
export function isAboutOpenQuestion(
  { event_type, payload }: { readonly event_type: string; readonly payload: JsonObject },
  openId: string | undefined,
): boolean {
  if (!ABOUT_QUESTIONS.includes(event_type)) return false;
  return openId === undefined || payload['suspension_id'] === openId;
}
