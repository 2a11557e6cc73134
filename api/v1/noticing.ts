import { pushStateSchema, startPushSchema } from '../../contracts/people/push.js';
import { quietHoursReplySchema, quietHoursSchema } from '../../contracts/people/quiet-hours.js';
import { jsonOf } from '../http/input.js';
import { sessionOf, unauthenticated } from '../http/keys-and-roles.js';
import { reply } from '../http/reply.js';
import type { RouteCall } from '../http/route.js';
import type { Session } from '../sign-in/sign-in.js';
import { endPush, readPush, startPush } from '../usecases/session/push.js';
import { endQuietHours, readQuietHours, setQuietHours } from '../usecases/session/quiet-hours.js';
import { v1Route } from './route.js';
import type { Route } from './route.js';

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
