import type { SuspendBody } from '../contracts/suspension-requests.js';
import type { SuspensionView } from '../contracts/suspension-view.js';

/** A question as a tool asks it; its key finds it again. */
export type KeyedQuestion = SuspendBody & { readonly request_key: string };

/** A question that was asked, with what the service warns of. */
export type Asked = SuspensionView & { readonly warnings?: readonly string[] | undefined };

/** Why something was refused, as a model is told. */
export interface Told {
  readonly code: string;
  readonly detail: string;
  readonly field?: string | undefined;
  readonly accepted?: string | undefined;
  /** The values to choose from, where one of them would be accepted. */
  readonly valid_choices?: readonly string[] | undefined;
}

/** What would be accepted in place of what was refused, in words; undefined if nobody says. */
export function acceptedInstead({
  accepted,
  valid_choices: choices = [],
}: Pick<Told, 'accepted' | 'valid_choices'>): string | undefined {
  return choices.length > 0 ? choices.join(', ') : accepted;
}

/** What the tools need of the service, whichever way they reach it: in its own process, or over HTTP. */
export interface Asker {
  /** Asks once; a repeat of the same question finds the first. */
  ask(question: KeyedQuestion): Promise<Asked>;
  /** Waits until the question is settled or the time is over; 0 seconds read it as it stands. */
  wait(ticket: string, seconds: number, signal: AbortSignal): Promise<SuspensionView>;
  withdraw(ticket: string, reason: string | undefined): Promise<void>;
  /** Where a person finds the question; null if the service does not know how it is reached. */
  pageOf(ticket: string): string | null;
  /** What to tell of a failure. It never tells more than the API would. */
  told(error: unknown): Told;
}

/** Where a person finds a question in the inbox of a service. */
export function questionPage(address: string, ticket: string): string {
  return `${address.replace(/\/$/, '')}/inbox/q/${ticket}`;
}
