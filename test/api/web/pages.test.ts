import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { createRig, type Rig } from '../support/harness.js';

const CODE = 'console.log("the inbox");';

/** The app with an inbox that was built into this folder. */
function rigOf(webFolder: string, config: object = {}): Rig {
  return createRig({}, config, undefined, undefined, undefined, { webFolder });
}

/** What a reply says about where pictures may come from. */
function picturesIn({ headers }: { readonly headers: Record<string, string> }): string | undefined {
  return headers['content-security-policy']?.split(';').find((part) => part.startsWith('img-src'));
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
    await put('manifest.webmanifest', '{}');
    await put('service-worker.js', CODE);
    await put('assets/page-abc123.html', '<!doctype html><title>Inbox</title>');
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
    const page = '/inbox/assets/page-abc123.html';
    for (const url of ['/inbox', '/inbox/link', '/inbox/service-worker.js', page]) {
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
        "manifest-src 'self'",
        "script-src 'self'",
        "style-src 'self'",
        "worker-src 'self'",
      ]);
      assert.equal(headers['referrer-policy'], 'no-referrer');
      assert.equal(headers['x-content-type-options'], 'nosniff');
      assert.equal(headers['x-frame-options'], 'DENY');
    }
  });

  it('may load pictures from the named hosts, but never on the page of a link', async () => {
    const named = rigOf(folder, { image_hosts: ['images.example.com', 'cdn.example.com:8443'] });
    for (const url of ['/inbox', '/inbox/q/1', '/inbox/linked']) {
      assert.equal(
        picturesIn(await named.send(undefined, 'get', url)),
        "img-src 'self' data: https://images.example.com https://cdn.example.com:8443",
      );
    }
    for (const url of ['/inbox/link', '/inbox/link/', '/inbox/LINK']) {
      assert.equal(picturesIn(await named.send(undefined, 'get', url)), "img-src 'self' data:");
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

  it('can be installed, with a service worker that browsers ask for anew', async () => {
    const manifest = await get('/inbox/manifest.webmanifest');
    assert.match(manifest.headers['content-type'] ?? '', /^application\/manifest\+json/);
    const { status, headers, text } = await get('/inbox/service-worker.js').buffer();
    assert.deepEqual([status, text], [200, CODE]);
    assert.match(headers['content-type'] ?? '', /^text\/javascript/);
    assert.equal(headers['cache-control'], 'no-cache');
    assert.equal(headers['service-worker-allowed'], '/inbox');
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
