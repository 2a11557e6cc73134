import { z } from 'zod';
import { boundedText } from './primitives.js';

/** Whether a text is an origin, as a browser sends it: nothing is left out, and nothing stands for several. */
function isOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { origin, protocol, hostname } = new URL(text);
  return /^https?:$/.test(protocol) && origin === text && !hostname.includes('*');
}

/** Origins of pages that may call the API; none unless some are named. */
export const originsSchema = z
  .array(
    boundedText(300).refine(isOrigin, {
      params: { accepted: 'an origin as browsers send it, such as https://app.example.com' },
    }),
  )
  .max(100)
  .default([]);
