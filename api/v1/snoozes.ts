import { z } from 'zod';
import {
  snoozeListSchema,
  snoozeRequestSchema,
  snoozeSchema,
} from '../../contracts/suspension/snooze.js';
import { jsonOf } from '../http/input.js';
import { reply } from '../http/reply.js';
import { endSnooze, listSnoozes, snoozeSuspension } from '../usecases/suspension/snooze.js';
import { v1Route } from './route.js';
import type { Route } from './route.js';

/** People put questions off, each for their own lists only. */
export const SNOOZE_ROUTES: readonly Route[] = [
  v1Route(snoozeSuspension, 'POST /suspensions/:suspensionId/snooze', {
    summary: 'Hides a question from your own lists for a while',
    body: jsonOf(snoozeRequestSchema),
    replies: { 200: { description: 'The snooze.', body: snoozeSchema } },
    handle: async ({ run, params, body }) => reply(200, await run(params.suspensionId, body)),
  }),
  v1Route(endSnooze, 'DELETE /suspensions/:suspensionId/snooze', {
    summary: 'Shows a question in your lists again',
    replies: { 200: { description: 'It is not snoozed.', body: z.object({}) } },
    async handle({ run, params }) {
      await run(params.suspensionId);
      return reply(200, {});
    },
  }),
  v1Route(listSnoozes, 'GET /snoozes', {
    summary: 'Lists the questions that you have put off, and until when',
    replies: { 200: { description: 'Your snoozes.', body: snoozeListSchema } },
    handle: async ({ run }) => reply(200, { snoozes: await run() }),
  }),
];
