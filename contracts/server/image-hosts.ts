import { z } from 'zod';
import { boundedText } from '../kernel/primitives.js';

/** The names that a Content-Security-Policy can hold: no wildcard, and nothing that ends a directive. */
const HOST = /^[a-z\d-]+(?:\.[a-z\d-]+)*(?::\d{1,5})?$/;

/** Whether a text is a host as browsers write it in an address: in lower case, without a port that https means anyway. */
function isHost(text: string): boolean {
  const address = `https://${text}`;
  return HOST.test(text) && URL.canParse(address) && new URL(address).host === text;
}

/** The hosts from which the inbox may load pictures, over https; none unless some are named. */
export const imageHostsSchema = z
  .array(
    boundedText(260).refine(isHost, {
      params: { accepted: 'a host as it stands in addresses, such as images.example.com' },
    }),
  )
  .max(50)
  .default([]);
