import type { LinkAnswered, LinkView } from '../../../contracts/links.js';
import type { JsonValue } from '../../../contracts/primitives.js';
import { send } from './http.js';

/** An answer by a link. */
export interface LinkedAnswer {
  readonly value: JsonValue;
  /** What has to come with a decision whose question has a schema. */
  readonly data?: JsonValue;
  readonly despite_claim?: true;
}

/** Reads what a link is for. The token goes into the body, so that no log and no referrer has it. */
export async function readLink(token: string): Promise<LinkView> {
  return (await send<LinkView>('POST', '/v1/links/read', { token })).body;
}

/** Answers by a link, once. Resolves to how the answer counts; undefined if it is only handed over. */
export async function answerByLink(
  token: string,
  { value, data, despite_claim }: LinkedAnswer,
): Promise<LinkAnswered | undefined> {
  const { status, body } = await send<LinkAnswered>('POST', '/v1/links/answer', {
    token,
    value,
    ...(despite_claim && { despite_claim }),
    ...(data !== undefined && { data }),
    metadata: { via: 'link' },
  });
  return status === 202 ? undefined : body;
}
