import type { JsonObject } from '../../../contracts/kernel/primitives.js';
import type { Ruling } from '../../../contracts/kernel/problem.js';
import type { SuspendRequest } from '../../../contracts/suspension/requests.js';
import { jsonBytes } from '../../kernel/json.js';
import { ok, refuse } from '../../kernel/ruling.js';
import type { ProposalToShow } from '../../../contracts/channel/notification.js';
import type { SuspensionRecord } from '../../../contracts/suspension/suspension.js';
import { contextParts } from './context-beside.js';

/** Keys that hooks and channels add to their copies of `context`, so a question may not set them. */
const RESERVED_KEYS = ['_attempt', '_max_attempts'];

export function withoutReserved(context: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(context).filter(([key]) => !RESERVED_KEYS.includes(key)),
  );
}

/** Returns the context for the record, without the keys that hooks and channels fill in. */
export function contextOf(
  request: Pick<SuspendRequest, 'context'>,
  limits: { readonly contextBytes: number },
): Ruling<JsonObject | undefined> {
  if (request.context === undefined) return ok(undefined);
  const context = withoutReserved(request.context);
  if (jsonBytes(context) <= limits.contextBytes) return ok(context);
  return refuse('invalid_request', 'The context is too large.', {
    field: 'context',
    accepted: `at most ${limits.contextBytes} bytes of JSON`,
  });
}

/** Warns about dropped entries of the context, which people would otherwise look for in vain. */
export function reservedWarnings({
  context = {},
}: Pick<SuspendRequest, 'context'>): readonly string[] {
  return RESERVED_KEYS.filter((key) => Object.hasOwn(context, key)).map(
    (key) =>
      `The entry ${key} of the context is left out: Holdpoint fills it in for hooks and channels.`,
  );
}

/** The limit of a message. A longer proposal is not copied into another history. */
const MOST_CHARACTERS = 6_000;

export function proposalOf({ approval }: Pick<SuspensionRecord, 'approval'>): {
  readonly approval?: ProposalToShow;
} {
  if (approval === undefined) return {};
  const { proposal_hash, proposal } = approval;
  const whole = { calls: proposal.calls, visible_context: proposal.visible_context };
  const isShort = JSON.stringify(whole).length <= MOST_CHARACTERS;
  return { approval: { proposal_hash, ...(isShort && { whole }) } };
}

export function formInContext(record: Parameters<typeof contextParts>[0]): {
  readonly fields_are_form?: true;
} {
  return contextParts(record).elsewhere['fields'] === undefined ? {} : { fields_are_form: true };
}

/** A question with a context that agents write, and with its approval if it has one. */
export interface Explained {
  readonly context?: JsonObject | undefined;
  readonly fields_are_form?: true | undefined;
  readonly approval?: ProposalToShow | undefined;
}

/** Returns the context of a question for the current proposal; an edit replaces call, hash and risk. Pure. */
export function contextNow({ context = {}, approval }: Explained): JsonObject {
  const { proposal_hash: written, tool_call: call, risk_class: _before, ...rest } = context;
  const isOlder = written !== undefined && written !== approval?.proposal_hash;
  if (approval === undefined || !isOlder) return context;
  const [only, ...others] = approval.whole?.calls ?? [];
  const isKnown = call !== undefined && only !== undefined && others.length === 0;
  const { proposal_hash } = approval;
  return { ...rest, proposal_hash, ...(isKnown && { tool_call: { ...only } }) };
}
