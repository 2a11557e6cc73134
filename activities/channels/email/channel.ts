import { createHash } from 'node:crypto';
import { createTransport } from 'nodemailer';
import type SMTPTransport from 'nodemailer/lib/smtp-transport/index.js';
import type { EmailConfig } from '../../../contracts/channel/email.js';
import type { OutgoingChange } from '../../../contracts/channel/follow-up.js';
import type {
  Addressee,
  Channel,
  DeliverOptions,
  HandedOver,
  OutgoingMessage,
} from '../channel.js';
import { withinTime } from '../within-time.js';
import { contentOf } from './content.js';
import type { MailContent } from './content.js';
import { htmlForm, plainForm } from './forms.js';
import { mailError } from './mail-error.js';
import { outcomeMail } from './outcome.js';
import { defined } from '../../../contracts/constants/defined.js';

/** The dependencies of a mail channel besides its configuration. */
export interface MailSurroundings {
  readonly now: () => Date;
  /** The address of the inbox, for messages without a link. */
  readonly inbox: string | undefined;
}

const SURROUNDINGS: MailSurroundings = { now: () => new Date(), inbox: undefined };

/**
 * A channel that mails each person of the directory, in plain text and HTML. All tries of a message have one Message-ID,
 * and reminders refer to the first message, so that mail programs show them together.
 *
 * @param config with the URL of the server itself in place of the variable that holds it
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

  /** Makes the mail about a change: always if the question is another, because its links are stale; about its end only if configured. */
  function changeMail(change: OutgoingChange, to: Addressee): MailContent | undefined {
    if (change.kind === 'changed') return contentOf(change.message, to, { now: now(), inbox });
    const isNews = config.tell_outcome && change.by !== to.principal;
    return isNews ? outcomeMail(change, to) : undefined;
  }
}

/** Ids of messages, without the part after the @. */
interface Thread {
  readonly id: string;
  /** The message that it belongs under. */
  readonly under?: string;
}

/** Identifies a reminder by question, attempt and person: somebody on two rungs of one attempt has it once. */
function threadOf(
  { suspension_id, attempt, alert, delegated_by }: OutgoingMessage,
  { principal }: Addressee,
  { idempotencyKey }: DeliverOptions,
): Thread {
  const idOf = (number: number): string => digestOf(`${suspension_id}:${number}/${principal}`);
  // The message of the attempt may have reached the same person before.
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
  /** Connects and logs in, if there is a login; fails at a server that offers none, which takes mails without it all the same. */
  readonly check: (signal: AbortSignal) => Promise<void>;
}

const SERVER = { name: 'the mail server', failed: mailError };

/** Posts mails to the server of the configuration, over a connection for each. */
function mailer({ smtp, from, allow_plain, timeout_seconds }: EmailConfig): Mailer {
  const url = new URL(smtp);
  const auth = loginOf(url);
  const secure = url.protocol === 'smtps:';
  const ms = timeout_seconds * 1_000;
  const options: SMTPTransport.Options = {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
    secure,
    // A password never goes over a line that others can read.
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
  // Otherwise it would pass at a server that offers no login, where nobody has logged in.
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
