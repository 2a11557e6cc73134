import type { SignedMessage, WebhookAnswer } from '../../contracts/webhook-answer.js';
import { ANSWER_REFUSALS } from './suspension.js';
import { operations } from './operation.js';

/** What channels send back. The signature is the proof, so no key is needed. */
export const WEBHOOK_ANSWERS = operations({
  answerByWebhook: {
    resource: 'suspension',
    refusals: [
      'signature_refused',
      'not_answered_for',
      'invalid_request',
      'too_many_requests',
      'forbidden',
      'suspension_not_found',
      ...ANSWER_REFUSALS,
    ],
    run: ({ webhookAnswers }, message: SignedMessage, answer: WebhookAnswer) =>
      webhookAnswers.answer(message, answer),
  },
});
