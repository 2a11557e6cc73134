import assert from 'node:assert/strict';
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { ChannelError } from '../../../../activities/channels/try-outcome.js';
import { startPostbox, type Postbox, type Replies } from '../../../support/smtp.js';
import { createEmailChannel } from '../../../../activities/channels/email/channel.js';
import type { EmailConfig } from '../../../../contracts/channel/channel-config.js';
import { ANA, mailOver, mailTo } from './support.js';

async function failureOf(sending: Promise<unknown>) {
  const error = await sending.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof ChannelError, String(error));
  assert.doesNotMatch(error.message, /example\.com|127\.0\.0\.1/);
  const { statusCode, final = false } = error.details;
  return [error.kind, statusCode, final];
}

describe('a mail server', () => {
  let postbox: Postbox;
  afterEach(() => postbox.close());
  const start = async (replies?: Replies) => {
    postbox = await startPostbox(replies);
    return postbox.url;
  };

  for (const [replies, expected] of [
    [{ recipient: () => 550 }, ['mail_refused', 550, true]],
    [{ recipient: () => 450 }, ['mail_deferred', 450, false]],
    [{ mail: () => 554 }, ['mail_refused', 554, true]],
    [{ mail: () => 452 }, ['mail_deferred', 452, false]],
  ] as const) {
    const [kind, code, final] = expected;
    const where = 'mail' in replies ? 'the mail' : 'the recipient';
    it(`that answers ${code} to ${where} is ${final ? 'not asked again' : 'asked again'}`, async () => {
      const url = await start(replies);
      assert.deepEqual(await failureOf(mailTo(mailOver(url))), [kind, code, final]);
      assert.deepEqual(postbox.mails, []);
    });
  }

  it('gets the user and the password of its URL', async () => {
    const login = { user: 'hold', pass: 'p@ss' };
    // A password needs TLS, which this server offers with a certificate that nobody trusts.
    const url = (await start({ login, offersTls: true })).replace('//', '//hold:p%40ss@');
    assert.deepEqual(await failureOf(mailTo(mailOver(url))), [
      'connection_failed',
      undefined,
      false,
    ]);
  });

  it('never gets a password over a line without TLS', async () => {
    const url = (await start({ login: { user: 'hold', pass: 'p' } })).replace('//', '//hold:p@');
    assert.deepEqual(await failureOf(mailTo(mailOver(url))), [
      'connection_failed',
      undefined,
      false,
    ]);
  });

  it('that wants a login and gets none is asked again', async () => {
    const url = await start({ login: { user: 'hold', pass: 'p' } });
    assert.deepEqual(await failureOf(mailTo(mailOver(url))), ['mail_login_refused', 530, false]);
  });

  it('gets no mail without TLS unless the configuration allows it', async () => {
    const url = await start();
    const secured = mailOver(url, { allow_plain: false });
    assert.deepEqual(await failureOf(mailTo(secured)), ['connection_failed', undefined, false]);
    assert.deepEqual(postbox.mails, []);
  });

  const check = (config: EmailConfig, signal = new AbortController().signal) =>
    createEmailChannel(config).check(signal);
  /** With any certificate trusted. */
  async function trusting(work: () => Promise<void>): Promise<void> {
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    try {
      await work();
    } finally {
      delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    }
  }

  it('says whether it takes the login, without a mail to anybody', async () => {
    const login = { user: 'hold', pass: 'right' };
    const url = await start({ login, offersTls: true });
    const as = (user: string) => check(mailOver(url.replace('//', `//${user}@`)));
    assert.deepEqual(await failureOf(as('hold:right')), ['connection_failed', undefined, false]);
    await trusting(async () => {
      await as('hold:right');
      assert.deepEqual(await failureOf(as('hold:wrong')), ['mail_login_refused', 535, false]);
      // Nobody is asked: a user without a password cannot log in.
      assert.deepEqual(await failureOf(as('hold')), ['mail_login_refused', undefined, false]);
    });
    assert.deepEqual(postbox.mails, []);
  });

  it('that offers no login takes none, and mails all the same', async () => {
    const url = await start({ offersTls: true });
    const config = mailOver(url.replace('//', '//hold:right@'));
    await trusting(async () => {
      await check(mailOver(url));
      assert.deepEqual(await failureOf(check(config)), ['mail_login_refused', 500, false]);
      await mailTo(config);
    });
    assert.equal(postbox.mails.length, 1);
  });

  it('is asked no longer than a try may take, or than the worker runs', async () => {
    await start();
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    try {
      const { port } = silent.address() as AddressInfo;
      const config = { ...mailOver(`smtp://127.0.0.1:${port}`), timeout_seconds: 0.2 };
      assert.equal((await failureOf(check(config)))[0], 'no_reply_in_time');
      const stop = new AbortController();
      const asking = check(config, stop.signal);
      stop.abort(new Error('the worker stops'));
      await assert.rejects(asking, /the worker stops/);
    } finally {
      silent.close();
    }
  });

  it('that answers nothing is given up in time', async () => {
    const url = await start({ hangs: true });
    const config = { ...mailOver(url), timeout_seconds: 0.2 };
    assert.deepEqual(await failureOf(mailTo(config)), ['no_reply_in_time', undefined, false]);
  });

  it('is left once the delivery is called off', async () => {
    const url = await start({ hangs: true });
    const off = new AbortController();
    const sending = mailTo(mailOver(url), {}, ANA, off.signal);
    off.abort(new Error('called off'));
    await assert.rejects(sending, /called off/);
  });

  it('is not connected to for a delivery that was called off before', async () => {
    const url = await start();
    const off = AbortSignal.abort(new Error('called off'));
    await assert.rejects(mailTo(mailOver(url), {}, ANA, off), /called off/);
    await mailTo(mailOver(url));
    assert.deepEqual([postbox.connections, postbox.mails.length], [1, 1]);
  });

  it('that is not there is asked again', async () => {
    await start();
    const closed = createServer().listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const { port } = closed.address() as AddressInfo;
    closed.close();
    const sending = mailTo(mailOver(`smtp://127.0.0.1:${port}`));
    assert.deepEqual(await failureOf(sending), ['connection_failed', undefined, false]);
  });
});
