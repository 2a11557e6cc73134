import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { simpleParser, type ParsedMail } from 'mailparser';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** A mail server in this process, and what has arrived there. */
export interface Postbox {
  /** `smtp://127.0.0.1:…` */
  readonly url: string;
  readonly mails: readonly Arrived[];
  /** How often somebody has connected. */
  readonly connections: number;
  /** Resolves once so many mails have arrived. */
  arrived(count: number): Promise<readonly Arrived[]>;
  close(): Promise<void>;
}

export interface Arrived extends ParsedMail {
  /** As the server was told, whatever the headers say. */
  readonly recipients: readonly string[];
  /** As it came over the line. */
  readonly raw: string;
}

/** What the server answers in place of 250. */
export interface Replies {
  /** By recipient. */
  readonly recipient?: (address: string) => number | undefined;
  readonly mail?: () => number | undefined;
  /** The only user and password that it takes; without it nobody has to log in. */
  readonly login?: { readonly user: string; readonly pass: string };
  /** Whether it answers nothing at all to a mail. */
  readonly hangs?: boolean;
  /** Whether it offers TLS, with a certificate that nobody trusts. */
  readonly offersTls?: boolean;
}

function failure(responseCode: number): Error {
  return Object.assign(new Error('the reply holds ana@example.com'), { responseCode });
}

/** Starts a mail server on loopback. */
export async function startPostbox(replies: Replies = {}): Promise<Postbox> {
  const mails: Arrived[] = [];
  let connections = 0;
  const { login } = replies;
  const options: SMTPServerOptions = {
    authOptional: login === undefined,
    allowInsecureAuth: true,
    disabledCommands: [
      ...(replies.offersTls ? [] : ['STARTTLS']),
      ...(login === undefined ? ['AUTH'] : []),
    ],
    onAuth: ({ username, password }, _session, done) => {
      const known = username === login?.user && password === login?.pass;
      done(known ? null : failure(535), known ? { user: username } : undefined);
    },
    onRcptTo: ({ address }, _session, done) => {
      const code = replies.recipient?.(address);
      done(code === undefined ? null : failure(code));
    },
    onData: (stream, { envelope }, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const code = replies.mail?.();
        if (replies.hangs) return;
        if (code !== undefined) {
          done(failure(code));
          return;
        }
        const raw = Buffer.concat(chunks);
        const recipients = envelope.rcptTo.map(({ address }) => address);
        void simpleParser(raw).then((mail) => {
          mails.push({ ...mail, recipients, raw: raw.toString() });
          server.emit('mail');
          done();
        });
      });
    },
  };
  const server = new SMTPServer(options);
  // Clients that give up leave errors behind.
  server.on('error', () => undefined);
  server.server.on('connection', () => (connections += 1));
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    get connections() {
      return connections;
    },
    async arrived(count) {
      while (mails.length < count) await once(server as never, 'mail');
      return mails;
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
