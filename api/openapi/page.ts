import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Router, type RequestHandler } from 'express';
import helmet from 'helmet';
import { VIEWER_FILES, viewerFolder } from './viewer.js';

const VIEWER = viewerFolder();
const HOUR_SECONDS = 3_600;

function page(head: string, body: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Holdpoint API</title>
    ${head}
  </head>
  <body>
    <div id="api"></div>
    ${body}
  </body>
</html>
`;
}

/** Returns the script that starts the viewer. It asks no other host, not even the validator of documents. */
function start(settings: object): string {
  const all = {
    dom_id: '#api',
    deepLinking: true,
    docExpansion: 'list',
    defaultModelsExpandDepth: 0,
    validatorUrl: null,
    ...settings,
  };
  return `SwaggerUIBundle(${JSON.stringify(all)});\n`;
}

const PAGE = page(
  `<link rel="icon" href="/docs/favicon-32x32.png">
    <link rel="stylesheet" href="/docs/swagger-ui.css">
    <link rel="alternate" type="application/json" href="/v1/openapi.json">`,
  `<noscript>The description itself is at <a href="/v1/openapi.json">/v1/openapi.json</a>.</noscript>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/start.js"></script>`,
);
const START = start({ url: '/v1/openapi.json', displayRequestDuration: true });

/** The default of helmet, except that it also works over plain HTTP: upgraded requests for the viewer would fail. */
const contentSecurity = helmet.contentSecurityPolicy({
  directives: { 'upgrade-insecure-requests': null, 'style-src': ["'self'", "'unsafe-inline'"] },
});

const viewerFile: RequestHandler<{ file: string }> = (req, res, next) => {
  const { file } = req.params;
  if (!VIEWER_FILES.includes(file)) {
    next();
    return;
  }
  res.setHeader('Cache-Control', `public, max-age=${HOUR_SECONDS}`);
  res.sendFile(file, { root: VIEWER, cacheControl: false });
};

/** Returns `GET /docs`: the description of the API as a page to read and try, Swagger UI from this server alone. */
export function docsPage(): Router {
  const router = Router();
  router.get('/docs', contentSecurity, (_req, res) => {
    res.type('html').send(PAGE);
  });
  router.get('/docs/start.js', (_req, res) => {
    res.type('js').send(START);
  });
  router.get('/docs/:file', viewerFile);
  return router;
}

const NOTHING =
  "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:";

/** Hides servers and fields for keys, because a file can send no requests. */
const READ_ONLY = '.scheme-container, .authorization__btn, .info .url { display: none !important }';

/** The viewer follows references within a document only if its address begins with `http`. It sends no request to it. */
const ADDRESS = "ui.specActions.updateUrl('http://localhost/v1/openapi.json');";

/** Returns the same page as one file to read: it holds the document and the viewer with its licences, and loads nothing. */
export async function pageInOneFile(document: object): Promise<string> {
  const files = ['swagger-ui.css', 'swagger-ui-bundle.js.LICENSE.txt', 'swagger-ui-bundle.js'];
  const [style, ...viewer] = await Promise.all(
    files.map((file) => readFile(path.join(VIEWER, file), 'utf8')),
  );
  const ui = `const ui = ${start({ spec: document, supportedSubmitMethods: [] })}${ADDRESS}`;
  // Escaped, so that no text of the document ends the element of the script.
  const script = [...viewer, ui].join('\n').replaceAll(/<(?=!--|\/script)/gi, '\\x3C');
  return page(
    `<meta http-equiv="Content-Security-Policy" content="${NOTHING}">
    <style>${style}${READ_ONLY}</style>`,
    `<noscript>This page needs JavaScript to show the API.</noscript>
    <script>${script}</script>`,
  );
}
