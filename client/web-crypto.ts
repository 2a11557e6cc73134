import { HoldpointError } from './errors.js';

/**
 * Returns the platform's WebCrypto. Browsers have none for pages over plain HTTP, except from localhost; it then throws
 * HoldpointError `insecure_context`.
 */
export function subtle(): typeof crypto.subtle {
  const { subtle: found } = globalThis.crypto as { readonly subtle?: typeof crypto.subtle };
  if (found !== undefined) return found;
  throw new HoldpointError(
    'insecure_context',
    'This browser has no WebCrypto for a page over plain HTTP. Serve the page over https, or from localhost.',
  );
}
