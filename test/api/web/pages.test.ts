import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { createRig } from '../support/harness.js';
import type { Rig } from '../support/harness.js';

const CODE = 'console.log("the inbox");';

/** The app with an inbox that was built into this folder. */
function rigOf(webFolder: string): Rig {
  return createRig({}, {}, undefined, undefined, undefined, { webFolder });
}

describe('the pages of the inbox', () => {
  let folder: string;
  let rig: Rig;
  const get = (url: string) => rig.send(undefined, 'get', url);

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'holdpoint-web-'));
    await mkdir(path.join(folder, 'assets'));
    const put = (name: string, content: string | Buffer) =>
      writeFile(path.join(folder, name), content);
    await put('index.html', '<!doctype html><title>Inbox</title>');
    await put('icon.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>');
    await put('.sources', 'a hash');
    await put('assets/index-abc123.js', CODE);
    await put('assets/index-abc123.js.br', brotliCompressSync(CODE));
    await put('assets/index-abc123.js.gz', gzipSync(CODE));
    await put('assets/small-abc123.css', 'a{}');
    rig = rigOf(folder);
  });
  after(() => rm(folder, { recursive: true }));

  it('are one page at every address below /inbox, which nobody keeps', async () => {
    for (const url of ['/inbox', '/inbox/', '/inbox/questions/1', '/inbox/link', '/inbox/x.html']) {
      const { status, headers, text } = await get(url);
      assert.equal(status, 200, url);
      assert.match(text, /<title>Inbox/);
      assert.match(headers['content-type'] ?? '', /^text\/html/);
      assert.equal(headers['cache-control'], 'no-store');
    }
  });

  it('are where a browser is led that asks for the server alone', async () => {
    const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
    const led = await get('/').set('Accept', browser);
    assert.deepEqual([led.status, led.headers['location']], [302, '/inbox']);
    assert.match(led.headers['vary'] ?? '', /Accept/);
    for (const accept of ['application/json', '*/*', 'application/problem+json']) {
      const told = await get('/').set('Accept', accept);
      assert.deepEqual([told.status, told.body.code], [404, 'not_found'], accept);
    }
  });

  it('may load from this server alone, and stand in no frame', async () => {
    for (const url of ['/inbox', '/inbox/link', '/inbox/assets/index-abc123.js']) {
      const { headers } = await get(url);
      const policy = (headers['content-security-policy'] ?? '').split(';').sort();
      assert.deepEqual(policy, [
        "base-uri 'none'",
        "connect-src 'self'",
        "default-src 'none'",
        "font-src 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "img-src 'self' data:",
        "script-src 'self'",
        "style-src 'self'",
      ]);
      assert.equal(headers['referrer-policy'], 'no-referrer');
      assert.equal(headers['x-content-type-options'], 'nosniff');
      assert.equal(headers['x-frame-options'], 'DENY');
    }
  });

  it('have files that are kept for a year, in the encoding that the browser takes', async () => {
    const url = '/inbox/assets/index-abc123.js';
    for (const [accepted, encoding] of [
      ['gzip, deflate, br', 'br'],
      ['gzip', 'gzip'],
      ['identity', undefined],
    ] as const) {
      const { status, headers, text } = await get(url).set('Accept-Encoding', accepted).buffer();
      assert.equal(status, 200);
      assert.equal(headers['content-encoding'], encoding);
      assert.match(headers['content-type'] ?? '', /^text\/javascript/);
      assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable');
      assert.equal(headers['vary'], 'Accept-Encoding');
      if (encoding !== 'br') assert.equal(text, CODE);
    }
    const small = await get('/inbox/assets/small-abc123.css').set('Accept-Encoding', 'br');
    assert.deepEqual([small.status, small.headers['content-encoding']], [200, undefined]);
  });

  it('have an icon, and serve nothing else of the folder', async () => {
    assert.match((await get('/inbox/icon.svg')).headers['content-type'] ?? '', /^image\/svg/);
    for (const file of ['none-abc123.js', '..%2Findex.html', '.sources', 'index-abc123.js.br']) {
      const { status, body } = await get(`/inbox/assets/${file}`);
      assert.deepEqual([status, body.code], [404, 'not_found'], file);
    }
    assert.match((await get('/inbox/.sources')).text, /<title>Inbox/);
  });

  it('say with which command they are built if they are not', async () => {
    rig = rigOf(path.join(folder, 'none'));
    const { status, text, headers } = await get('/inbox/questions/1');
    assert.equal(status, 503);
    assert.match(text, /not built.*npm run build:web/s);
    assert.match(headers['content-security-policy'] ?? '', /default-src 'none'/);
    rig = rigOf(folder);
  });
});
