import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { startReceiver, status, type Answer, type Receiver } from '../../../support/subscribers.js';
import { sendTo, webhookTo, type SendOptions } from './support.js';

/** Begins a reply and never ends it. */
const hangs: Answer = (response) => void response.write('{');
const isSilent: Answer = () => undefined;
const NOW = new Date('2026-11-21T10:00:00.000Z');

describe('webhook that is not taken', () => {
  let receiver: Receiver;
  afterEach(() => receiver.close());

  async function failsWith(
    answer: Answer,
    expected: object,
    options: SendOptions = {},
  ): Promise<void> {
    receiver = await startReceiver(answer);
    await assert.rejects(sendTo(webhookTo(receiver.url), options), expected);
  }

  for (const code of [400, 401, 404, 408, 425, 429, 500, 503]) {
    it(`is tried again after ${code}`, () =>
      failsWith(status(code), {
        name: 'ChannelError',
        kind: 'response_not_2xx',
        message: `the webhook answered ${code}`,
        details: { statusCode: code, retryAfterMs: undefined },
      }));
  }

  it('is given up at 410', () =>
    failsWith(status(410), {
      kind: 'endpoint_gone',
      details: { statusCode: 410, final: true },
    }));

  for (const [asked, retryAfterMs] of [
    ['120', 120_000],
    ['0', 5_000],
    ['86400', 3_600_000],
    ['Sat, 21 Nov 2026 10:01:30 GMT', 90_000],
    ['Sat, 21 Nov 2026 09:00:00 GMT', 5_000],
    ['soon', undefined],
  ] as const) {
    it(`waits as Retry-After: ${asked} asks, within bounds`, () =>
      failsWith(
        status(503, { 'retry-after': asked }),
        { details: { statusCode: 503, retryAfterMs } },
        { now: () => NOW },
      ));
  }

  for (const code of [301, 302, 303, 307, 308]) {
    it(`does not follow a redirect by ${code}`, async () => {
      const target = await startReceiver();
      await failsWith(status(code, { location: target.url }), {
        kind: 'redirect_not_followed',
        message: `the webhook answered ${code}, a redirect`,
      });
      assert.deepEqual([receiver.received.length, target.received.length], [1, 0]);
      await target.close();
    });
  }

  it('is cut off where nobody answers in time', () =>
    failsWith(isSilent, { kind: 'no_reply_in_time' }, { timeout_seconds: 0.05 }));

  it('is cut off where the name is not resolved in time', async () => {
    receiver = await startReceiver();
    const config = webhookTo(`http://receiver.invalid:${receiver.port}`);
    const options = { resolve: () => new Promise<never>(() => undefined), timeout_seconds: 0.05 };
    await assert.rejects(sendTo(config, options), { kind: 'no_reply_in_time' });
    assert.equal(receiver.received.length, 0);
  });

  it('fails where the connection is refused', async () => {
    receiver = await startReceiver();
    const { url } = receiver;
    await receiver.close();
    receiver = await startReceiver();
    await assert.rejects(sendTo(webhookTo(url)), {
      kind: 'connection_failed',
      message: 'the webhook was not reached (ECONNREFUSED)',
    });
  });

  it('fails where the connection is cut', () =>
    failsWith((response) => response.destroy(), {
      kind: 'connection_failed',
      message: 'the webhook was not reached (ECONNRESET)',
    }));

  it('fails where the reply is no HTTP', () =>
    failsWith((response) => void response.socket?.end('SSH-2.0-OpenSSH\r\n'), {
      kind: 'connection_failed',
    }));

  it('ends with the reason of the abort', async () => {
    const gone = new AbortController();
    const reason = new Error('the question is settled');
    receiver = await startReceiver(() => gone.abort(reason));
    const sent = sendTo(webhookTo(receiver.url), { signal: gone.signal });
    await assert.rejects(sent, reason);
  });

  it('is not sent where it was called off before', async () => {
    receiver = await startReceiver();
    const sent = sendTo(webhookTo(receiver.url), { signal: AbortSignal.abort() });
    await assert.rejects(sent, { name: 'AbortError' });
    assert.equal(receiver.received.length, 0);
  });

  it('says nothing of the URL or the reply in an error', async () => {
    receiver = await startReceiver((response) => response.writeHead(500).end('a stack trace'));
    const sent = sendTo(webhookTo(`${receiver.url}?token=s3cret`));
    await assert.rejects(sent, (error: Error) => !/s3cret|stack trace|127/.test(error.message));
  });
});

describe('webhook that is taken', () => {
  it('is delivered by its status although the reply never ends', async () => {
    const receiver = await startReceiver(hangs);
    const handedOver = await sendTo(webhookTo(receiver.url));
    assert.equal(handedOver.status_code, 200);
    await receiver.close();
  });

  it('does not read a reply that is without end', async () => {
    let replying: ServerResponse | undefined;
    const floods: Answer = (response) => {
      replying = response;
      const pour = (): void => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
      };
      response.on('drain', pour);
      pour();
    };
    const receiver = await startReceiver(floods);
    const handedOver = await sendTo(webhookTo(receiver.url));
    assert.equal(handedOver.status_code, 200);
    assert.ok(replying);
    if (!replying.destroyed) await once(replying, 'close');
    assert.equal(replying.writableFinished, false);
    await receiver.close();
  });
});
