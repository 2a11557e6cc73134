import { z } from 'zod';
import {
  saveViewSchema,
  savedViewListSchema,
  savedViewSchema,
} from '../../contracts/suspension/saved-view.js';
import { jsonOf } from '../http/input.js';
import { reply } from '../http/reply.js';
import { deleteSavedView, listSavedViews, saveView } from '../usecases/suspension/saved-views.js';
import { v1Route } from './route.js';
import type { Route } from './route.js';

/** The views of the inbox that people save, each for itself. */
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
