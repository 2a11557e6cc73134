import type { ShownRefusal } from '../contracts/constants/shown-refusal.js';
import type { SuspendBody } from '../contracts/suspension/requests.js';
import type { SuspensionView } from '../contracts/suspension/view.js';

/** A question as a tool asks it; its key finds it again. */
export type KeyedQuestion = SuspendBody & { readonly request_key: string };

/** An asked question, with the service's warnings. */
export type Asked = SuspensionView & { readonly warnings?: readonly string[] | undefined };

/** The parts of the service that the tools need, in its own process or over HTTP. */
export interface Asker {
  /** Asks once; a repeat of the same question finds the first. */
  ask(question: KeyedQuestion): Promise<Asked>;
  /** Waits until the question is settled or the time is over; 0 seconds only read it. */
  wait(ticket: string, seconds: number, signal: AbortSignal): Promise<SuspensionView>;
  withdraw(ticket: string, reason: string | undefined): Promise<void>;
  /** Returns the address of the question for people; null if the service does not know its own address. */
  pageOf(ticket: string): string | null;
  /** Returns the text about a failure, which never reveals more than the API would. */
  told(error: unknown): ShownRefusal;
}

/** Returns the address of a question in the inbox of a service. */
export function questionPage(address: string, ticket: string): string {
  return `${address.replace(/\/$/, '')}/inbox/q/${ticket}`;
}
