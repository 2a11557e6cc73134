import { HoldpointError, SuspensionUnsupportedError } from './errors.js';

/** Codes of a 404 that a server with the suspension protocol gives. */
const KNOWN: ReadonlySet<string> = new Set([
  'intent_not_found',
  'suspension_not_found',
  'lease_not_found',
]);

/**
 * Tells "this server has no such route" from "there is no such intent": the first becomes
 * SuspensionUnsupportedError (R25-104), everything else passes as it is.
 */
export async function supported<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof HoldpointError && error.status === 404 && !KNOWN.has(error.code)) {
      throw new SuspensionUnsupportedError(error);
    }
    throw error;
  }
}
