import { lookUntil } from './looks.js';
import type { KeyName, RealStack } from './real-stack.js';

/**
 * What is read once worker and store have caught up: they have 2 s for it, and after that a reply is stale, or a 503. A busy
 * machine needs longer.
 */
export async function readFresh<T>(
  stack: Pick<RealStack, 'get'>,
  path: string,
  as?: KeyName,
): Promise<T> {
  const { body } = await lookUntil(async () => {
    const reply = await stack.get(path, as);
    const isLate = reply.status === 503 || reply.headers['holdpoint-stale'] !== undefined;
    return !isLate && reply;
  }, `${path} is always behind`);
  return body as T;
}
