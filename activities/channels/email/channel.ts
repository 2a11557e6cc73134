import { anchored, escaped, neutralised, tagged, unlinked } from './words.js';
import { entryText, quoted, type Entry } from '../entries.js';
import { ChannelError, withinTime } from '../try-outcome.js';
import { createHash } from 'node:crypto';
import { createTransport } from 'nodemailer';
import type SMTPTransport from 'nodemailer/lib/smtp-transport/index.js';
import type { EmailConfig } from '../../../contracts/channel/channel-config.js';
import type { OutgoingChange } from '../../../contracts/channel/follow-up.js';
import type {
  Addressee,
  Channel,
  DeliverOptions,
  HandedOver,
  OutgoingMessage,
} from '../channel.js';
import { contentOf, outcomeMail, type MailContent, type Part } from './content.js';
import { defined } from '../../../contracts/constants/defined.js';

const IN_BRACKETS =
  'So that no address becomes a link, brackets stand around dots and other signs of addresses here. The page shows all as it was written.';

/**
 * The plain-text form of a mail. Mail programs make links of addresses, so texts of others have none, and the mail
 * says so.
 */
export function plainForm({ parts }: MailContent): string {
  const shown = parts.map((part) => plainPart(part, neutralised)).join('\n\n');
  const isChanged = shown !== parts.map((part) => plainPart(part, (text) => text)).join('\n\n');
  return isChanged ? `${shown}\n\n${IN_BRACKETS}\n` : `${shown}\n`;
}

function plainPart(part: Part, shown: (text: string) => string): string {
  switch (part.kind) {
    case 'text':
    case 'small':
      return shown(part.text);
    case 'quote':
      return quoted(shown(part.text));
    case 'entries':
      return quoted(shown(part.entries.map(entryText).join('\n')));
    case 'link': {
      const { label, about, url } = part;
      return [shown(label), ...(about ? [quoted(shown(about))] : []), url].join('\n');
    }
  }
}

const BODY = 'font:16px/1.5 system-ui,sans-serif;max-width:40em;margin:1em auto;color:#1a1a1a';
const QUOTE = 'margin:1em 0;padding:0 0 0 1em;border-left:3px solid #767676';
/** Programs that know no `white-space` keep the lines of a `pre` all the same. */
const AS_WRITTEN = 'margin:0;font:inherit;white-space:pre-wrap;overflow-wrap:anywhere';
const HANGING = 'margin-left:2em;text-indent:-2em';
const LINK =
  'display:inline-block;padding:12px 20px;border:1px solid #1f4fbf;border-radius:6px;color:#1f4fbf;white-space:pre-wrap';
const SMALL = 'font-size:14px;color:#595959';

/** The HTML form: our own tags around escaped texts, and links that we made. */
export function htmlForm({ parts }: MailContent): string {
  const body = parts.map(htmlPart).join('\n');
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Holdpoint</title>
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no"></head>
<body style="${BODY}">
${body}
</body></html>
`;
}

function htmlPart(part: Part): string {
  switch (part.kind) {
    case 'text':
      return `<p>${unlinked(part.text)}</p>`;
    case 'small':
      return `<p style="${SMALL}">${escaped(part.text)}</p>`;
    case 'quote':
      return quote(written(unlinked(part.text)));
    case 'entries':
      return quote(part.entries.map(htmlEntry).join('\n'));
    case 'link': {
      const { url, label, about } = part;
      const link = `<p><a href="${escaped(url)}" dir="auto" style="${LINK}">${tagged(label)}</a></p>`;
      if (about === undefined) return link;
      return `${link}\n${quote(written(unlinked(about), SMALL))}`;
    }
  }
}

/** A bold name before its text, indented less than the rows after it. A text of several lines becomes a quote below. */
function htmlEntry({ name, text }: Entry): string {
  const named = `<strong>${tagged(name)}:</strong>`;
  if (!text.includes('\n')) return written(anchored(`${named} ${tagged(text)}`), HANGING);
  return `${written(anchored(named))}\n${quote(written(unlinked(text)))}`;
}

function quote(html: string): string {
  return `<blockquote style="${QUOTE}">${html}</blockquote>`;
}

/** A text of a person or agent; each line has its own writing direction. */
function written(html: string, style = ''): string {
  return `<pre dir="auto" style="${AS_WRITTEN};${style}">${html}</pre>`;
}

interface MailFailure {
  readonly code?: unknown;
  readonly responseCode?: unknown;
}

/** SMTP replies that ask for a login or refuse it. */
const LOGIN = new Set([530, 534, 535, 538]);

/**
 * Translates a failure of the mail server. A refused mail or address (5xx) is final. The messages contain no address
 * and no reply.
 */
function mailError(error: unknown): ChannelError {
  const { code, responseCode }: MailFailure =
    typeof error === 'object' && error !== null ? error : {};
  if (code === 'ETLS') {
    return new ChannelError('connection_failed', 'there was no TLS with the mail server');
  }
  // Without a reply, user or password is missing from the configuration, so no server was asked.
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

/** Whether the server refused the sender, the recipient or the mail, and not the connection. */
function isAboutMail(code: unknown): boolean {
  return code === 'EENVELOPE' || code === 'EMESSAGE';
}

export interface MailSurroundings {
  readonly now: () => Date;
  /** The address of the inbox, for messages without a link. */
  readonly inbox: string | undefined;
}

const SURROUNDINGS: MailSurroundings = { now: () => new Date(), inbox: undefined };

/**
 * A channel that mails each person of the directory. All tries of a message have one Message-ID, and reminders refer
 * to it, so that mail programs show them together.
 *
 * @param config - with the URL of the server itself
 */
export function createEmailChannel(
  config: EmailConfig,
  surroundings: Partial<MailSurroundings> = {},
): Channel & Required<Pick<Channel, 'check' | 'update'>> {
  const { now, inbox } = { ...SURROUNDINGS, ...surroundings };
  const { post, check } = mailer(config);
  return {
    reaches: { by: 'email', otherwise: config.to },
    async deliver(message, options) {
      const { to } = options;
      if (to === undefined) throw new Error('mail is for a person of the directory');
      const content = contentOf(message, to, { now: now(), inbox });
      return post(
        content,
        to,
        { ...threadOf(message, to, options), ...weightOf(message) },
        options,
      );
    },
    check,
    updates: 'latest',
    async update({ suspension_id }, change, options) {
      const { to, idempotencyKey } = options;
      if (to === undefined) throw new Error('mail is for a person of the directory');
      const content = changeMail(change, to);
      if (content === undefined) return;
      const under = digestOf(`${suspension_id}:1/${to.principal}`);
      await post(content, to, { id: digestOf(idempotencyKey), under }, options);
    },
  };

  /**
   * Makes the mail about a change: always if the question changed, because its links are stale; about its end only if
   * configured.
   */
  function changeMail(change: OutgoingChange, to: Addressee): MailContent | undefined {
    if (change.kind === 'changed') return contentOf(change.message, to, { now: now(), inbox });
    const isNews = config.tell_outcome && change.by !== to.principal;
    return isNews ? outcomeMail(change, to) : undefined;
  }
}

/** Message ids without the part after the @. */
interface Thread {
  readonly id: string;
  readonly under?: string;
}

/** Identifies a reminder by question, attempt and person: somebody on two rungs of one attempt has it once. */
function threadOf(
  { suspension_id, attempt, alert, delegated_by }: OutgoingMessage,
  { principal }: Addressee,
  { idempotencyKey }: DeliverOptions,
): Thread {
  const idOf = (number: number): string => digestOf(`${suspension_id}:${number}/${principal}`);
  // The first message of the attempt may have reached the same person before.
  if (alert || delegated_by !== undefined) return { id: digestOf(idempotencyKey), under: idOf(1) };
  return attempt === 1 ? { id: idOf(1) } : { id: idOf(attempt), under: idOf(1) };
}

/** Hashes for Message-IDs, which every server on the way sees, so they do not show the id of the question (R25-100). */
function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

function weightOf({ attempt, max_attempts }: OutgoingMessage): { priority?: 'high' } {
  return attempt > 1 && attempt === max_attempts ? { priority: 'high' } : {};
}

type Headers = Thread & { readonly priority?: 'high' };
interface Mailer {
  readonly post: (
    content: MailContent,
    to: Pick<Addressee, 'name' | 'address'>,
    headers: Headers,
    options: Pick<DeliverOptions, 'signal'>,
  ) => Promise<HandedOver>;
  /**
   * Connects and logs in, if a login is configured. Fails at a server that offers none, although mails would be
   * accepted there.
   */
  readonly check: (signal: AbortSignal) => Promise<void>;
}

const SERVER = { name: 'the mail server', failed: mailError };

/** Sends mails over one connection each. */
function mailer({ smtp, from, allow_plain, timeout_seconds }: EmailConfig): Mailer {
  const url = new URL(smtp);
  const auth = loginOf(url);
  const secure = url.protocol === 'smtps:';
  const ms = timeout_seconds * 1_000;
  const options: SMTPTransport.Options = {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
    secure,
    // A password is never sent over an unencrypted connection.
    requireTLS: !secure && (!allow_plain || auth !== undefined),
    ...defined({ auth }),
    connectionTimeout: ms,
    greetingTimeout: ms,
    socketTimeout: ms,
    dnsTimeout: ms,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
  const transport = createTransport(options);
  // Otherwise the check would pass at a server that offers no login.
  const checked = createTransport({ ...options, forceAuth: auth !== undefined });
  const domain = /@([^\s>]+)/.exec(from)?.[1] ?? 'localhost';
  const full = (id: string): string => `<${id}@${domain}>`;
  const post: Mailer['post'] = async (content, to, { id, under, priority }, { signal }) => {
    const messageId = full(id);
    const refers = under === undefined ? {} : { inReplyTo: full(under), references: full(under) };
    const mail = {
      from,
      to: { name: to.name, address: to.address },
      subject: content.subject,
      text: plainForm(content),
      html: htmlForm(content),
      messageId,
      ...refers,
      ...defined({ priority }),
      headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    };
    const { response } = await withinTime(SERVER, timeout_seconds, signal, () =>
      transport.sendMail(mail),
    );
    const status = /^\d{3}/.exec(response)?.[0];
    return { reference: messageId, ...(status !== undefined && { status_code: Number(status) }) };
  };
  return {
    post,
    async check(signal) {
      await withinTime(SERVER, timeout_seconds, signal, () => checked.verify());
    },
  };
}

function loginOf({ username, password }: URL): { user: string; pass: string } | undefined {
  if (username === '') return undefined;
  return { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
}
