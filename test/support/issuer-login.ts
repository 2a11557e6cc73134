import type { WarningLog } from '../../api/parts/reads/from-store.js';
import { IssuerLogin } from '../../api/sign-in/issuer-login.js';
import type { Sessions } from '../../api/sign-in/sessions.js';
import type { ServerConfig } from '../../contracts/server/config.js';
import { loadBrowserSignIn } from '../../runtime/browser-sign-in.js';

/** The client that the inbox is at the issuer. */
export const CLIENT = { client_id: 'inbox', client_secret: 'the-secret-of-the-inbox-as-client' };

const SECRET = 'a secret of the installation';

/** How an API has people sign in at the issuer of its configuration; undefined if it names none. */
export function loginFor(
  config: ServerConfig,
  sessions: Sessions,
  log: WarningLog,
  now = Date.now,
): IssuerLogin | undefined {
  const found = loadBrowserSignIn(config, { INBOX_SECRET: CLIENT.client_secret });
  return found && new IssuerLogin({ ...found, secret: SECRET, sessions, log, now });
}
