import type { LinkAnswer } from '../../contracts/links.js';
import { READ, WRITE, operations } from './operation.js';

const LINK_REFUSALS = [
  'link_invalid',
  'link_used',
  'link_stale',
  'link_expired',
  'invalid_request',
  'too_many_requests',
] as const;

/** What the links in messages do. The token is the proof, so no key is needed. */
export const LINKS = operations({
  readLink: {
    resource: 'suspension',
    refusals: [...LINK_REFUSALS, ...READ],
    run: ({ links }, token: string) => links.read(token),
  },
  answerLink: {
    resource: 'suspension',
    refusals: [
      ...LINK_REFUSALS,
      'sign_in_needed',
      'forbidden',
      'not_eligible',
      'reason_mismatch',
      'claimed_by_other',
      'invalid_value',
      'answer_too_large',
      ...WRITE,
    ],
    run: ({ links }, answer: LinkAnswer) => links.answer(answer),
  },
});
