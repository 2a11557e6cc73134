import { HoldpointError } from './errors.js';

/**
 * The cryptography of the platform. A browser has none for a page that came over plain HTTP, other than from its own machine;
 * then it throws HoldpointError `insecure_context`, which says so.
 */
export function subtle(): typeof crypto.subtle {
  const { subtle: found } = globalThis.crypto as { readonly subtle?: typeof crypto.subtle };
  if (found !== undefined) return found;
  throw new HoldpointError(
    'insecure_context',
    'This browser has no WebCrypto for a page over plain HTTP. Serve the page over https, or from localhost.',
  );
}
