import type { FromSlack } from '../../contracts/slack-interaction.js';
import { operations } from './operation.js';

/** What people do in Slack. Its signature is the proof, so no key is needed; who is refused an answer is told so in Slack. */
export const SLACK = operations({
  answerBySlack: {
    resource: 'suspension',
    refusals: ['signature_refused', 'invalid_request', 'too_many_requests'],
    run: ({ slack }, message: FromSlack) => slack.take(message),
  },
});
