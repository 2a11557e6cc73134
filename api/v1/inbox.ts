import { z } from 'zod';
import {
  saveViewSchema,
  savedViewListSchema,
  savedViewSchema,
  snoozeListSchema,
  snoozeRequestSchema,
  snoozeSchema,
} from '../../contracts/suspension/personal.js';
import { jsonOf } from '../http/input.js';
import { reply } from '../http/reply.js';
import {
  deleteSavedView,
  endSnooze,
  listSavedViews,
  listSnoozes,
  saveView,
  snoozeSuspension,
} from '../usecases/suspension/inbox.js';
import { v1Route, type Route } from './route.js';
import {
  pushStateSchema,
  quietHoursReplySchema,
  quietHoursSchema,
  startPushSchema,
} from '../../contracts/people/noticing.js';
import { sessionOf, unauthenticated } from '../http/keys-and-roles.js';
import type { RouteCall } from '../http/route.js';
import type { Session } from '../sign-in/sign-in.js';
import {
  endPush,
  endQuietHours,
  readPush,
  readQuietHours,
  setQuietHours,
  startPush,
} from '../usecases/session/noticing.js';

export const SAVED_VIEW_ROUTES: readonly Route[] = [
  v1Route(listSavedViews, 'GET /me/views', {
    summary: 'Lists the views that you have saved',
    replies: { 200: { description: 'Your views.', body: savedViewListSchema } },
    handle: async ({ run }) => reply(200, { views: await run() }),
  }),
  v1Route(saveView, 'PUT /me/views/:viewId', {
    summary: 'Saves a view of the list under a name, or changes one',
    body: jsonOf(saveViewSchema),
    replies: { 200: { description: 'The view.', body: savedViewSchema } },
    handle: async ({ run, params, body }) => reply(200, await run(params.viewId, body)),
  }),
  v1Route(deleteSavedView, 'DELETE /me/views/:viewId', {
    summary: 'Deletes a view that you have saved',
    replies: { 200: { description: 'There is no such view.', body: z.object({}) } },
    async handle({ run, params }) {
      await run(params.viewId);
      return reply(200, {});
    },
  }),
];

/** Routes by which people hide questions from their own lists for a while. */
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

/** Returns the session of the request. Throws RefusalError `unauthenticated` if a key or a token signed it in. */
function ownSession({ req }: RouteCall): Session {
  const session = sessionOf(req);
  if (session === undefined) throw unauthenticated();
  return session;
}

const PUSH = {
  description: 'The key to subscribe with, and whether it is used.',
  body: pushStateSchema,
};
const QUIET = { description: 'The quiet hours of the caller.', body: quietHoursReplySchema };

/** How people notice questions: by pushes to their browsers, and when not. */
export const NOTICING_ROUTES: readonly Route[] = [
  v1Route(readPush, 'GET /me/push', {
    summary: 'Says how this browser can be told of questions, and whether it is',
    replies: { 200: PUSH },
    handle: async ({ run, call }) => reply(200, await run(ownSession(call))),
  }),
  v1Route(startPush, 'PUT /me/push', {
    summary: 'Has this browser told of questions, also while it is closed',
    body: jsonOf(startPushSchema),
    replies: { 200: PUSH },
    handle: async ({ run, call, body }) => reply(200, await run(ownSession(call), body)),
  }),
  v1Route(endPush, 'DELETE /me/push', {
    summary: 'Has this browser told of nothing any more',
    replies: { 200: PUSH },
    handle: async ({ run, call }) => reply(200, await run(ownSession(call))),
  }),
  v1Route(readQuietHours, 'GET /me/quiet-hours', {
    summary: 'Returns when the caller wants no push and no sound',
    replies: { 200: QUIET },
    handle: async ({ run }) => reply(200, await run()),
  }),
  v1Route(setQuietHours, 'PUT /me/quiet-hours', {
    summary: 'Sets when the caller wants no push and no sound',
    body: jsonOf(quietHoursSchema),
    replies: { 200: QUIET },
    handle: async ({ run, body }) => reply(200, await run(body)),
  }),
  v1Route(endQuietHours, 'DELETE /me/quiet-hours', {
    summary: 'Ends the quiet hours of the caller',
    replies: { 200: QUIET },
    handle: async ({ run }) => reply(200, await run()),
  }),
];
