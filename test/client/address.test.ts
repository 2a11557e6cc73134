import assert from 'node:assert/strict';
import { Agent, ConnectionError, Operator } from '../../client/index.js';
import { readReadiness } from '../../client/readiness.js';
import { agentOf, withServer } from './support/harness.js';
import type { FakeServer } from './support/fake-server.js';
import { INTENT_ID, pending, ROUTES, settled } from './support/samples.js';

const QUESTION = { question: 'Refund?' };

/** A logger that keeps what it gets. */
function newLog() {
  const lines: string[] = [];
  return { lines, warn: (line: string) => void lines.push(line) };
}

describe('an address that no server can have', () => {
  const REFUSED = [
    ['localhost:4000', /^baseUrl localhost:4000 must begin with http:\/\/ or https:\/\//],
    ['127.0.0.1:4000', /must begin with http:\/\/ or https:\/\//],
    ['ftp://example.com', /must begin with http:\/\/ or https:\/\//],
    ['http://', /^baseUrl http:\/\/ is not a URL\.$/],
    ['http://127.0.0.1:4000/v1', /^baseUrl http:\/\/127\.0\.0\.1:4000\/v1 .*without \/v1/],
    ['http://127.0.0.1:4000/v1/', /without \/v1/],
    ['http://127.0.0.1:4000/v1/intents', /without \/v1/],
    ['http://127.0.0.1:4000/api/v1', /without \/v1/],
    ['http://127.0.0.1:4000/?key=1', /neither a user, a query nor a fragment/],
  ] as const;
  for (const [baseUrl, message] of REFUSED) {
    it(`is refused at once: ${baseUrl}`, () => {
      const refusal = { name: 'TypeError', message };
      assert.throws(() => new Agent({ baseUrl, apiKey: 'k' }), refusal);
      assert.throws(() => new Operator({ baseUrl, apiKey: 'k' }), refusal);
    });
  }

  it('is refused without the password in it', () => {
    const baseUrl = 'https://me:secret@example.com';
    assert.throws(
      () => new Agent({ baseUrl, apiKey: 'k' }),
      ({ message }: Error) => /neither a user/.test(message) && !message.includes('secret'),
    );
  });
});

describe('an address with a path of its own', () => {
  it('is called below that path', async () => {
    const urls: string[] = [];
    const fetch = async (url: string): Promise<Response> => {
      urls.push(url);
      return new Response('{}');
    };
    for (const baseUrl of ['https://example.com/holdpoint', 'HTTPS://example.com/holdpoint//']) {
      await new Agent({ baseUrl, apiKey: 'k', fetch }).getIntent('i');
    }
    assert.deepEqual(urls, Array(2).fill('https://example.com/holdpoint/v1/intents/i'));
  });
});

describe('a server that does not answer', () => {
  const away = (server: FakeServer): string =>
    `Holdpoint cannot be reached at ${server.url} (ECONNREFUSED).`;

  it('is named at the first failure, and in the error', () =>
    withServer(async (server, pauses) => {
      await server.stop();
      const logger = newLog();
      const linesAtFirstPause: string[][] = [];
      pauses.during = (nth) => {
        if (nth === 1) linesAtFirstPause.push([...logger.lines]);
      };

      const reading = agentOf(server, pauses, { logger }).getIntent(INTENT_ID);

      await assert.rejects(reading, (error) => {
        assert.ok(error instanceof ConnectionError);
        assert.equal(error.message, away(server));
        assert.equal(error.address, server.url);
        return true;
      });
      assert.deepEqual(linesAtFirstPause, [[`${away(server)} Trying again.`]]);
      assert.deepEqual(logger.lines, [`${away(server)} Trying again.`]);
    }));

  it('is named again when it has answered in between', () =>
    withServer(async (server, pauses) => {
      const logger = newLog();
      server.on(ROUTES.wait, 'cut', 'cut', { body: pending() }, 'cut', { body: settled() });

      await agentOf(server, pauses, { logger }).requestInput(INTENT_ID, QUESTION);

      assert.equal(logger.lines.length, 2);
      for (const line of logger.lines) assert.match(line, /^Holdpoint cannot be reached at http/);
    }));

  it('is named where the one who answers is not Holdpoint', () =>
    withServer(async (server, pauses) => {
      const logger = newLog();
      const page = { status: 502, text: '<html>Bad gateway</html>' };
      server.on(ROUTES.intent, page, { status: 404, text: 'not here' });

      const reading = agentOf(server, pauses, { logger }).getIntent(INTENT_ID);

      const message = `No reply of Holdpoint at ${server.url}: HTTP status 404.`;
      await assert.rejects(reading, { code: 'http_404', message });
      assert.deepEqual(logger.lines, [
        `No reply of Holdpoint at ${server.url}: HTTP status 502. Trying again.`,
      ]);
    }));

  it('is where the key stays, whatever redirects to another', () =>
    withServer((server, pauses) =>
      withServer(async (other) => {
        const to = (status: number) => ({
          status,
          headers: { location: `${other.url}/a?b=secret` },
        });
        for (const status of [302, 307]) {
          server.on(ROUTES.intent, to(status));
          await assert.rejects(agentOf(server, pauses).getIntent(INTENT_ID), {
            code: `http_${status}`,
            message: `No reply of Holdpoint at ${server.url}: HTTP status ${status}, a redirect to ${other.url}.`,
          });
        }
        server.on('GET /v1/ready', to(302));
        await assert.rejects(readReadiness(server.url), { code: 'unexpected_reply' });
        assert.deepEqual(other.seen, []);
      }),
    ));

  it('is not named for a refusal of its own', () =>
    withServer(async (server, pauses) => {
      const logger = newLog();
      const moving = { status: 503, body: { code: 'moving', detail: 'moving!' } };
      server.on(ROUTES.intent, moving, { body: { id: INTENT_ID } });

      await agentOf(server, pauses, { logger }).getIntent(INTENT_ID);

      assert.deepEqual(logger.lines, []);
      assert.equal(pauses.lengths.length, 1);
    }));

  it('is named by a subscription', () =>
    withServer(async (server, pauses) => {
      await server.stop();
      const logger = newLog();
      const stop = new AbortController();
      pauses.during = () => stop.abort();

      const items = agentOf(server, pauses, { logger }).subscribe({ signal: stop.signal });

      await assert.rejects(items.next(), { name: 'AbortError' });
      assert.deepEqual(logger.lines, [`${away(server)} Trying again.`]);
    }));
});

describe('what the server warns of', () => {
  const warnings = ['The channel slack is not configured: nobody is notified.'];

  it('is logged once for the reply', () =>
    withServer(async (server, pauses) => {
      const logger = newLog();
      server.on(ROUTES.suspend, 'cut', { status: 201, body: { ...pending(), warnings } });
      server.on(ROUTES.wait, { body: { ...settled({ response: 'yes' }), warnings } });

      await agentOf(server, pauses, { logger }).requestInput(INTENT_ID, QUESTION);

      assert.deepEqual(logger.lines.slice(1), [`Holdpoint warns: ${String(warnings[0])}`]);
    }));

  it('goes to the console where no logger is named', () =>
    withServer(async (server, pauses) => {
      server.on(ROUTES.suspend, { status: 201, body: { ...pending(), warnings } });
      const lines: unknown[] = [];
      const { warn } = console;
      console.warn = (line: unknown) => void lines.push(line);
      try {
        const agent = agentOf(server, pauses, { logger: undefined });
        await agent.requestInput(INTENT_ID, QUESTION);
      } finally {
        console.warn = warn;
      }
      assert.deepEqual(lines, [`Holdpoint warns: ${String(warnings[0])}`]);
    }));
});
