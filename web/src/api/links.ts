import type { JsonValue } from '../../../contracts/primitives.js';
import type { SuspensionChoice } from '../../../contracts/suspension.js';
import { send } from './http.js';

/** The question of a link, as far as its channel may show it. */
export interface LinkedQuestion {
  readonly question: string;
  readonly response_type: 'choice' | 'confirm' | 'text' | 'form';
  readonly choices?: readonly SuspensionChoice[];
  readonly context?: Readonly<Record<string, JsonValue>>;
  readonly response_schema?: Readonly<Record<string, JsonValue>>;
  readonly expires_at?: string;
}

/** What somebody with a link is shown. */
export interface LinkView {
  readonly question: LinkedQuestion;
  readonly person: string;
  readonly state: string;
  /** A link does not suffice for an approval. */
  readonly needs_sign_in: boolean;
  readonly suspension_id?: string;
}

/** Reads what a link is for. The token goes into the body, so that no log and no referrer has it. */
export async function readLink(token: string): Promise<LinkView> {
  return (await send<LinkView>('POST', '/v1/links/read', { token })).body;
}

/** Answers by a link, once. */
export async function answerByLink(token: string, value: JsonValue): Promise<number> {
  return (await send('POST', '/v1/links/answer', { token, value })).status;
}
