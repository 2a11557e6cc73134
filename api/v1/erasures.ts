import { intentErasureSchema, suspensionErasureSchema } from '../../contracts/erasure.js';
import { reply } from '../http/reply.js';
import { ERASURES } from '../operations/intent.js';
import { v1Route } from './route.js';
import type { Route } from './route.js';

const ERASED = 'What was erased, by whom and when.';

/** Erasing what people and agents wrote, for admins. */
export const ERASURE_ROUTES: readonly Route[] = [
  v1Route(ERASURES.erasePersonalData, {
    method: 'delete',
    path: '/intents/:intentId/personal-data',
    summary: 'Erases the personal data of an intent; its log can still be checked',
    keyed: true,
    replies: { 200: { description: ERASED, body: intentErasureSchema } },
    handle: async ({ run, params }) => reply(200, await run(params.intentId)),
  }),
  v1Route(ERASURES.eraseSuspension, {
    method: 'delete',
    path: '/suspensions/:suspensionId/personal-data',
    summary: 'Erases the personal data of a question that belongs to no intent',
    keyed: true,
    replies: { 200: { description: ERASED, body: suspensionErasureSchema } },
    handle: async ({ run, params }) => reply(200, await run(params.suspensionId)),
  }),
];
