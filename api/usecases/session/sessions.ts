import type { OpenSession } from '../../../contracts/people/session.js';
import { refused } from '../../parts/refusals.js';
import type { Browsers } from '../../sign-in/start.js';
import type { IssuerLogin } from '../../sign-in/issuer-login.js';
import type { OpenedSession } from '../../sign-in/sessions.js';
import type { Session } from '../../sign-in/sign-in.js';
import { useCase, type Call as Made, type Services } from '../usecase.js';

/** A call with what sessions need: how people sign in. */
type Call = Made & Services;

const OPENING = ['unauthenticated', 'forbidden', 'too_many_sign_ins', 'store_unavailable'] as const;

/**
 * How people sign in.
 *
 * @throws Error in an app without sessions, whose routes nobody reaches
 */
function browsersOf({ browsers }: Call): Browsers {
  if (browsers === undefined) throw new Error('This app opens no sessions.');
  return browsers;
}

/** Returns the sign-in at the issuer. Throws RefusalError `not_found` if browsers have none. */
function loginOf(call: Call): IssuerLogin {
  const { login } = browsersOf(call);
  if (login === undefined) throw refused('not_found', 'Nobody signs in at an issuer here.');
  return login;
}

export const openSession = useCase({
  name: 'openSession',
  resource: 'session',
  refusals: [...OPENING, 'sign_in_link_used', 'sign_in_link_expired', 'cross_site'],
  run: (call: Call, body: OpenSession, earlier: string | undefined): Promise<OpenedSession> =>
    browsersOf(call).proofs.open(body, earlier),
});

export const readSession = useCase({
  name: 'readSession',
  resource: 'session',
  refusals: ['unauthenticated', 'store_unavailable'],
  run: async (_call: Call, session: Session) => session,
});

export const endSession = useCase({
  name: 'endSession',
  resource: 'session',
  refusals: ['unauthenticated', 'store_unavailable'],
  run: (call: Call, { id }: Session): Promise<void> => browsersOf(call).sessions.end(id),
});

export const signInMethods = useCase({
  name: 'signInMethods',
  resource: 'session',
  refusals: [],
  run: async (call: Call) => ({ key: true, oidc: browsersOf(call).login !== undefined }),
});

export const beginSignIn = useCase({
  name: 'beginSignIn',
  resource: 'session',
  refusals: ['not_found', 'issuer_unavailable'],
  run: async (call: Call, returnTo: string, earlier: string | undefined) =>
    loginOf(call).begin(returnTo, earlier),
});

export const finishSignIn = useCase({
  name: 'finishSignIn',
  resource: 'session',
  refusals: [
    'not_found',
    'sign_in_failed',
    'forbidden',
    'too_many_groups',
    'issuer_unavailable',
    'store_unavailable',
  ],
  run: async (call: Call, query: string, sealed: string | undefined) =>
    loginOf(call).finish(query, sealed),
});
