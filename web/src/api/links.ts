import type { LinkView } from '../../../contracts/links.js';
import type { JsonValue } from '../../../contracts/primitives.js';
import { send } from './http.js';

/** Reads what a link is for. The token goes into the body, so that no log and no referrer has it. */
export async function readLink(token: string): Promise<LinkView> {
  return (await send<LinkView>('POST', '/v1/links/read', { token })).body;
}

/** Answers by a link, once. Resolves to whether the answer counts, or is only handed over. */
export async function answerByLink(
  token: string,
  value: JsonValue,
): Promise<'counts' | 'handed_over'> {
  const { status } = await send('POST', '/v1/links/answer', {
    token,
    value,
    metadata: { via: 'link' },
  });
  return status === 202 ? 'handed_over' : 'counts';
}
