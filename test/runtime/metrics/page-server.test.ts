import assert from 'node:assert/strict';
import { pino } from 'pino';
import {
  pageAddressOf,
  servePages,
  type PageServer,
  type Pages,
} from '../../../runtime/metrics/page-server.js';

const SETTING = 'HOLDPOINT_API_METRICS';
const FREE = { host: '127.0.0.1', port: 0, setting: SETTING };

describe('the address of pages for operators', () => {
  const ACCEPTED = [
    ['9464', '127.0.0.1', 9464],
    ['0.0.0.0:9464', '0.0.0.0', 9464],
    ['localhost:0', 'localhost', 0],
    ['[::1]:65535', '::1', 65_535],
  ] as const;
  for (const [text, host, port] of ACCEPTED) {
    it(`is ${host} and ${port} for ${text}`, () => {
      assert.deepEqual(pageAddressOf({ [SETTING]: text }, SETTING), {
        host,
        port,
        setting: SETTING,
      });
    });
  }

  it('is none where it is not set', () => {
    assert.equal(pageAddressOf({}, SETTING), undefined);
    assert.equal(pageAddressOf({ [SETTING]: '' }, SETTING), undefined);
    assert.equal(pageAddressOf({ [SETTING]: 'off' }, SETTING), undefined);
  });

  for (const text of ['on', '65536', '::1:80', 'http://a:80', 'a b:80', '127.0.0.1', '-1', ':80']) {
    it(`is refused for "${text}"`, () => {
      assert.throws(() => pageAddressOf({ [SETTING]: text }, SETTING), {
        name: 'StartupError',
        message: `${SETTING} is "${text}": it must be a port from 0 to 65535, an address and a port, such as 0.0.0.0:9464, or off.`,
      });
    });
  }
});

describe('the server of pages for operators', () => {
  const log = pino({ enabled: false });
  const servers: PageServer[] = [];
  afterEach(() => Promise.all(servers.splice(0).map((server) => server.close())));

  async function start(pages: Pages, address = FREE, logger = log): Promise<string> {
    const server = await servePages(pages, address, logger);
    servers.push(server);
    return server.url;
  }

  const one = async () => ({ status: 503, type: 'application/json', body: '{}' });

  it('serves a page as it is, also with a query', async () => {
    const url = await start({ '/ready': one });
    const reply = await fetch(`${url}/ready?x=1`);
    assert.deepEqual([reply.status, await reply.text()], [503, '{}']);
    assert.equal(reply.headers.get('content-type'), 'application/json');
    assert.equal(reply.headers.get('cache-control'), 'no-store');
  });

  it('has no other page, not even those of every object', async () => {
    const url = await start({ '/ready': one });
    for (const path of ['/', '/constructor', '/__proto__', '/ready/']) {
      const reply = await fetch(url + path);
      assert.deepEqual([reply.status, await reply.text()], [404, 'There is /ready.\n'], path);
    }
  });

  it('is only read', async () => {
    const url = await start({ '/ready': one });
    const reply = await fetch(`${url}/ready`, { method: 'POST', body: 'x' });
    assert.deepEqual([reply.status, reply.headers.get('allow')], [405, 'GET, HEAD']);
    assert.equal((await fetch(`${url}/ready`, { method: 'HEAD' })).status, 503);
  });

  it('tells nothing of a page that fails, and logs it without its message', async () => {
    const lines: string[] = [];
    const logger = pino({}, { write: (line: string) => void lines.push(line) });
    const failing = () => Promise.reject(new Error('secret'));
    const reply = await fetch(`${await start({ '/ready': failing }, FREE, logger)}/ready`);
    assert.deepEqual([reply.status, await reply.text()], [500, 'Internal error.\n']);
    assert.match(lines.join(''), /a page for operators failed/);
    assert.doesNotMatch(lines.join(''), /secret/);
  });

  it('lives on where a page cannot be sent, and where its log fails', async () => {
    const logger = pino(
      {},
      {
        write: () => {
          throw new Error('the disk is full');
        },
      },
    );
    const broken = async () => ({ status: 200, type: 'text/plain', body: 7 as unknown as string });
    const url = await start({ '/broken': broken, '/ready': one }, FREE, logger);
    await assert.rejects(fetch(`${url}/broken`), /fetch failed/);
    assert.equal((await fetch(`${url}/ready`)).status, 503);
  });

  it('says which setting to change if the port is taken', async () => {
    const url = await start({ '/ready': one });
    const port = Number(new URL(url).port);
    await assert.rejects(servePages({}, { ...FREE, port }, log), {
      name: 'StartupError',
      message: `Port ${port} on 127.0.0.1 is already in use: stop what uses it, or set another ${SETTING}.`,
    });
  });

  it('says which setting is wrong if the address is not of this machine', async () => {
    const address = { ...FREE, host: '192.0.2.1' };
    await assert.rejects(servePages({}, address, log), {
      message: `${SETTING}: cannot listen on 192.0.2.1:0: EADDRNOTAVAIL.`,
    });
  });
});
