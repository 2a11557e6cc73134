import { describeAttributes } from '../temporal-config/missing-attributes.js';
import type { AttributesFound } from '../temporal-config/missing-attributes.js';
import { ensureSearchAttributes } from '../temporal-config/search-attributes.js';
import type { OperatorConnection } from '../temporal-config/search-attributes.js';
import type { Log } from './log.js';

/**
 * Registers the search attributes before a worker polls. Where the server does not allow it, logs what is missing and what
 * could not be checked, so that the worker starts all the same.
 *
 * @returns what is known of them
 * @throws TemporalConfigError if the server fails, or has an attribute with another type
 */
export async function readySearchAttributes(
  connection: OperatorConnection,
  namespace: string,
  log: Log,
): Promise<AttributesFound> {
  const found = await ensureSearchAttributes(connection, namespace);
  const said = describeAttributes(found);
  if (said !== undefined) {
    log.warn({ namespace, ...found }, `${said}; the server does not let this worker add them`);
  }
  return found;
}
