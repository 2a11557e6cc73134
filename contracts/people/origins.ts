import { z } from 'zod';
import { boundedText } from '../kernel/primitives.js';

/** Whether a text is an origin as browsers send it, without wildcards. */
function isOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { origin, protocol, hostname } = new URL(text);
  return /^https?:$/.test(protocol) && origin === text && !hostname.includes('*');
}

/** The origin of a page, as browsers send it. */
export const originSchema = boundedText(300).refine(isOrigin, {
  params: { accepted: 'an origin as browsers send it, such as https://app.example.com' },
});

/** Origins of pages that may call the API; none unless some are named. */
export const originsSchema = z.array(originSchema).max(100).default([]);
