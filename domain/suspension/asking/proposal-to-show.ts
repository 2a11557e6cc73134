import type { ProposalToShow } from '../../../contracts/channel/notification.js';
import type { JsonObject } from '../../../contracts/kernel/primitives.js';
import type { SuspensionRecord } from '../../../contracts/suspension/suspension.js';
import { contextParts } from './context-beside.js';

/** The limit of a message; a longer proposal need not be in a history twice. */
const MOST_CHARACTERS = 6_000;

/** The part of a notification about the approval that a question asks for, if it does. */
export function proposalOf({ approval }: Pick<SuspensionRecord, 'approval'>): {
  readonly approval?: ProposalToShow;
} {
  if (approval === undefined) return {};
  const { proposal_hash, proposal } = approval;
  const whole = { calls: proposal.calls, visible_context: proposal.visible_context };
  const isShort = JSON.stringify(whole).length <= MOST_CHARACTERS;
  return { approval: { proposal_hash, ...(isShort && { whole }) } };
}

/** Marks a question whose context lists a form. */
export function formInContext(record: Parameters<typeof contextParts>[0]): {
  readonly fields_are_form?: true;
} {
  return contextParts(record).elsewhere['fields'] === undefined ? {} : { fields_are_form: true };
}

/** A question with a context that agents write, and with the approval that it is about, if it is about one. */
export interface Explained {
  readonly context?: JsonObject | undefined;
  readonly fields_are_form?: true | undefined;
  readonly approval?: ProposalToShow | undefined;
}

/** Returns the context of a question for the present proposal; an edit replaces call, hash and risk. Pure. */
export function contextNow({ context = {}, approval }: Explained): JsonObject {
  const { proposal_hash: written, tool_call: call, risk_class: _before, ...rest } = context;
  const isOlder = written !== undefined && written !== approval?.proposal_hash;
  if (approval === undefined || !isOlder) return context;
  const [only, ...others] = approval.whole?.calls ?? [];
  const isKnown = call !== undefined && only !== undefined && others.length === 0;
  const { proposal_hash } = approval;
  return { ...rest, proposal_hash, ...(isKnown && { tool_call: { ...only } }) };
}
