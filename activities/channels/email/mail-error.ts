import { ChannelError } from '../try-outcome.js';

/** nodemailer's description of a failure. */
interface MailFailure {
  readonly code?: unknown;
  readonly responseCode?: unknown;
}

/** Replies that ask for a login, or refuse it. */
const LOGIN = new Set([530, 534, 535, 538]);

/** Translates a failure of the mail server. A refused mail or address (5xx) is final. The texts have no address and no reply. */
export function mailError(error: unknown): ChannelError {
  const { code, responseCode }: MailFailure =
    typeof error === 'object' && error !== null ? error : {};
  if (code === 'ETLS') {
    return new ChannelError('connection_failed', 'there was no TLS with the mail server');
  }
  // Without a reply the login lacks its user or its password, so nobody was asked.
  if (code === 'EAUTH' && typeof responseCode !== 'number') {
    return new ChannelError('mail_login_refused', 'the login has no user or no password');
  }
  if (typeof responseCode === 'number' && responseCode >= 400) return replied(code, responseCode);
  if (code === 'ETIMEDOUT') {
    return new ChannelError('no_reply_in_time', 'the mail server did not answer in time');
  }
  const known = typeof code === 'string' ? ` (${code})` : '';
  return new ChannelError('connection_failed', `the mail server was not reached${known}`);
}

function replied(code: unknown, statusCode: number): ChannelError {
  if (code === 'EAUTH' || LOGIN.has(statusCode)) {
    const message = 'the mail server refused the login';
    return new ChannelError('mail_login_refused', message, { statusCode });
  }
  const message = `the mail server answered ${statusCode}`;
  return statusCode >= 500 && isAboutMail(code)
    ? new ChannelError('mail_refused', message, { statusCode, final: true })
    : new ChannelError('mail_deferred', message, { statusCode });
}

/** Whether it refused the sender, the recipient or the mail, and not the connection. */
function isAboutMail(code: unknown): boolean {
  return code === 'EENVELOPE' || code === 'EMESSAGE';
}
