import type { Told } from '../contracts/constants/told.js';
import type { SuspendBody } from '../contracts/suspension-requests.js';
import type { SuspensionView } from '../contracts/suspension-view.js';

/** A question as a tool asks it; its key finds it again. */
export type KeyedQuestion = SuspendBody & { readonly request_key: string };

/** A question that was asked, with what the service warns of. */
export type Asked = SuspensionView & { readonly warnings?: readonly string[] | undefined };

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
