import { access } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Router } from 'express';
import type { RequestHandler, Response } from 'express';
import helmet from 'helmet';
import { ERRORS } from '../../contracts/constants/errors.js';
import { RefusalError } from '../errors.js';

/** Where `npm run build` puts the inbox: beside a program of the build, and in `dist` of a checkout. */
const BUILT = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../../dist/web' : '../../web', import.meta.url),
);
const YEAR_SECONDS = 31_536_000;
const HOUR_SECONDS = 3_600;

/** A file of the build without a hash in its name, such as an icon. */
const PLAIN_FILE = /^[\w-]{1,80}\.(?:svg|png|ico|webmanifest)$/;
/** A file of the build whose name changes with its content. */
const HASHED_FILE = /^[\w-][\w.-]{0,200}\.(?:js|css|svg|png|woff2|json)$/;
/** Made by the build beside a file, by the encoding that a browser accepts; the first one is preferred. */
const ENCODED = { br: '.br', gzip: '.gz' } as const;

/** What the page may load and whom it may call: this server alone, no code and no style that stands in the page. */
const contentSecurity = helmet.contentSecurityPolicy({
  useDefaults: false,
  directives: {
    'default-src': ["'none'"],
    'script-src': ["'self'"],
    'style-src': ["'self'"],
    'img-src': ["'self'", 'data:'],
    'font-src': ["'self'"],
    'connect-src': ["'self'"],
    'form-action': ["'self'"],
    'base-uri': ["'none'"],
    'frame-ancestors': ["'none'"],
  },
});
const GUARDS: readonly RequestHandler[] = [
  contentSecurity,
  helmet.xFrameOptions({ action: 'deny' }),
];

const NOT_BUILT = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>Holdpoint</title>
  </head>
  <body>
    <h1>The inbox is not built</h1>
    <p>Run <code>npm run build:web</code> in the checkout, and load this page again. The API works without it.</p>
  </body>
</html>
`;

async function isThere(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

/** Sends the file in the best encoding that the build has made of it and that the browser accepts. */
async function sendHashed(res: Response, root: string, file: string): Promise<void> {
  const accepted = res.req.acceptsEncodings();
  const headers: Record<string, string> = {
    'Cache-Control': `public, max-age=${YEAR_SECONDS}, immutable`,
    Vary: 'Accept-Encoding',
  };
  for (const [encoding, suffix] of Object.entries(ENCODED)) {
    if (!accepted.includes(encoding) || !(await isThere(path.join(root, file + suffix)))) continue;
    res.set(headers).set('Content-Encoding', encoding).type(path.extname(file));
    res.sendFile(file + suffix, { root, cacheControl: false });
    return;
  }
  res.set(headers).sendFile(file, { root, cacheControl: false });
}

/** Leads a browser to the inbox; a program gets what it gets of any path that is none. */
const toInbox: RequestHandler = (req, res, next) => {
  if (req.accepts(['json', 'html']) === 'html') res.vary('Accept').redirect('/inbox');
  else next();
};

/**
 * `GET /inbox`: the inbox for people, a page of its own. Every path below is the same page, which finds what to show by
 * its address; its files are under `/inbox/assets`. `GET /` leads a browser there.
 *
 * @param folder - what the build has made; that of this package by default
 */
export function inboxPages(folder = BUILT): Router {
  const router = Router();
  const assets = path.join(folder, 'assets');
  router.use('/inbox', ...GUARDS);
  router.get('/', toInbox);
  router.get('/inbox/assets/:file', async (req, res) => {
    const { file } = req.params;
    if (!HASHED_FILE.test(file) || !(await isThere(path.join(assets, file)))) {
      throw new RefusalError({ code: 'not_found', detail: ERRORS.not_found[2] });
    }
    await sendHashed(res, assets, file);
  });
  router.get('/inbox/:file', async (req, res, next) => {
    const { file } = req.params;
    if (!PLAIN_FILE.test(file) || !(await isThere(path.join(folder, file)))) {
      next();
      return;
    }
    res.set('Cache-Control', `public, max-age=${HOUR_SECONDS}`);
    res.sendFile(file, { root: folder, cacheControl: false });
  });
  router.get('/inbox{/*path}', async (_req, res) => {
    if (await isThere(path.join(folder, 'index.html'))) {
      // Never kept, so that it names the files of the release that serves it.
      const fresh = { cacheControl: false, etag: false, lastModified: false };
      res.sendFile('index.html', { root: folder, ...fresh });
    } else {
      res.status(503).type('html').send(NOT_BUILT);
    }
  });
  return router;
}
