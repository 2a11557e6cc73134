import { access } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Router, type RequestHandler, type Response } from 'express';
import helmet from 'helmet';
import { standardRefusal } from '../errors.js';

/** The folder of the built inbox: beside a built program, or in `dist` of a checkout. */
const BUILT = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../../dist/web' : '../../web', import.meta.url),
);
const YEAR_SECONDS = 31_536_000;
const HOUR_SECONDS = 3_600;

/** A file of the build without a hash in its name, such as an icon. */
const PLAIN_FILE = /^[\w-]{1,80}\.(?:svg|png|ico|webmanifest)$/;
/** A file of the build whose name changes with its content. */
const HASHED_FILE = /^[\w-][\w.-]{0,200}\.(?:js|css|html|svg|png|woff2|json)$/;
/** The service worker of the page. Its name stays, so browsers ask for it anew. */
const WORKER_FILE = 'service-worker.js';
/** The suffixes of encoded files that the build makes, by encoding; the first one is preferred. */
const ENCODED = { br: '.br', gzip: '.gz' } as const;

/**
 * Lets the page load from and call this server alone, except for pictures of these hosts, without inline code or
 * style.
 */
function contentSecurity(imageHosts: readonly string[]): RequestHandler {
  return helmet.contentSecurityPolicy({
    useDefaults: false,
    directives: {
      'default-src': ["'none'"],
      'script-src': ["'self'"],
      'style-src': ["'self'"],
      'img-src': ["'self'", 'data:', ...imageHosts.map((host) => `https://${host}`)],
      'font-src': ["'self'"],
      'connect-src': ["'self'"],
      'manifest-src': ["'self'"],
      'worker-src': ["'self'"],
      'form-action': ["'self'"],
      'base-uri': ["'none'"],
      'frame-ancestors': ["'none'"],
    },
  });
}

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

/** Sends the file in the best encoding that the build made and the browser accepts. */
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

/** Redirects a browser to the inbox; a program gets the usual 404. */
const toInbox: RequestHandler = (req, res, next) => {
  if (req.accepts(['json', 'html']) === 'html') res.vary('Accept').redirect('/inbox');
  else next();
};

/**
 * `GET /inbox`: the inbox for people. Every path below is the same page, which decides by its address what to show;
 * its files are under `/inbox/assets`. `GET /` redirects a browser there.
 * @param imageHosts - where it may load pictures from; never on the page of a link, which people open without a
 * session
 * @param folder - the folder of the build; that of this package by default
 */
export function inboxPages(imageHosts: readonly string[], folder = BUILT): Router {
  const router = Router();
  const assets = path.join(folder, 'assets');
  router.use('/inbox', helmet.xFrameOptions({ action: 'deny' }), contentSecurity(imageHosts));
  router.use('/inbox/link', contentSecurity([]));
  router.get('/', toInbox);
  router.get('/inbox/assets/:file', async (req, res) => {
    const { file } = req.params;
    if (!HASHED_FILE.test(file) || !(await isThere(path.join(assets, file)))) {
      throw standardRefusal('not_found');
    }
    await sendHashed(res, assets, file);
  });
  router.get(`/inbox/${WORKER_FILE}`, async (_req, res) => {
    if (!(await isThere(path.join(folder, WORKER_FILE)))) throw standardRefusal('not_found');
    // Its folder is `/inbox/`, and the page is also at `/inbox`.
    res.set({ 'Cache-Control': 'no-cache', 'Service-Worker-Allowed': '/inbox' });
    res.sendFile(WORKER_FILE, { root: folder, cacheControl: false });
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
      // Never cached, so that it names the files of the release that serves it.
      const fresh = { cacheControl: false, etag: false, lastModified: false };
      res.sendFile('index.html', { root: folder, ...fresh });
    } else {
      res.status(503).type('html').send(NOT_BUILT);
    }
  });
  return router;
}
