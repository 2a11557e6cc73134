import {
  COORDINATOR_EVENT_TYPES,
  EVENT_TYPES,
  PORTFOLIO_EVENT_TYPES,
} from '../../contracts/constants/events.js';
import { KNOWN_EVENT_TYPES } from '../../contracts/constants/openintent-events.js';
import type { JsonObject } from '../../contracts/primitives.js';
import type { Ruling } from '../../contracts/problem.js';
import { ok, refuse } from '../kernel/ruling.js';

/** What the OpenIntent SDK posts by itself: stored once, marked as claimed, and deciding nothing. */
const CLAIMS: readonly string[] = [
  'intent.suspended',
  'intent.suspension_renotified',
  'intent.suspension_escalated',
  'agent_assigned',
  'engagement.decision',
];

/** What an agent tells of its own work. */
const OWN: readonly string[] = ['comment'];
const OWN_FAMILIES: readonly string[] = ['tool_call_', 'llm_request_', 'stream_'];

/** Families of which a specification names some, and may come to name more. */
const RESERVED_FAMILIES: readonly string[] = ['approval_', 'composer_', 'proposal_'];

const RESERVED_TYPES: readonly string[] = [
  ...EVENT_TYPES,
  ...PORTFOLIO_EVENT_TYPES,
  ...COORDINATOR_EVENT_TYPES,
  ...KNOWN_EVENT_TYPES,
];

/** Made when it is first needed: each workflow loads this module, and few judge a type. */
let reserved: ReadonlySet<string> | undefined;

function isReservedForm(form: string): boolean {
  reserved ??= new Set(RESERVED_TYPES.map(folded));
  return reserved.has(form) || RESERVED_FAMILIES.some((family) => form.startsWith(family));
}

/**
 * How a reader may take a type: without case, width, spaces and characters that do not show, and with one kind of
 * separator. Both spellings, such as `intent.resumed` and `intent_resumed`, are the same.
 */
function folded(type: string): string {
  return type
    .normalize('NFKC')
    .replaceAll(/[\s\p{C}]/gu, '')
    .toLowerCase()
    .replaceAll(/[.-]/g, '_');
}

/** Whether an event is one that a client claims, of a type that the server writes too. */
export function isClaim(type: string): boolean {
  return CLAIMS.includes(type);
}

/**
 * Judges the type of an event that a client posts: what the OpenIntent SDK posts by itself, what agents tell of
 * their own work, and types that no specification names. Refuses `invalid_request` for every other type that the
 * server or a specification writes, however it is spelled.
 */
export function checkPostedType(type: string): Ruling<true> {
  const form = folded(type);
  const isOwn = OWN.includes(form) || OWN_FAMILIES.some((family) => form.startsWith(family));
  if (isOwn || isClaim(type) || !isReservedForm(form)) return ok(true);
  return refuse('invalid_request', 'Only the server writes events of this type.', {
    field: 'event_type',
    accepted: 'an event type that the server does not write itself',
  });
}

/** The types of claims that are about a question. */
const ABOUT_QUESTIONS: readonly string[] = CLAIMS.filter((type) => type.startsWith('intent.'));

/**
 * Whether a posted event is about the question for which its intent is suspended. While the record of that question
 * is still to come, every such event is taken to be about it.
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
