import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Router } from 'express';
import type { RequestHandler } from 'express';
import helmet from 'helmet';

/** Files of Swagger UI that the page loads; the rest of the package is not served. */
const VIEWER_FILES = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'];
const VIEWER = path.dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/swagger-ui.css')));
const HOUR_SECONDS = 3_600;

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Holdpoint API</title>
    <link rel="icon" href="/docs/favicon-32x32.png">
    <link rel="stylesheet" href="/docs/swagger-ui.css">
    <link rel="alternate" type="application/json" href="/v1/openapi.json">
  </head>
  <body>
    <div id="api"></div>
    <noscript>The description itself is at <a href="/v1/openapi.json">/v1/openapi.json</a>.</noscript>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`;

/** Runs in the browser. Nothing is asked of another host, the document's validator included. */
const START = `SwaggerUIBundle({
  url: '/v1/openapi.json',
  dom_id: '#api',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  validatorUrl: null,
});
`;

/** As helmet has it, but also over plain HTTP: upgraded requests for the viewer would reach nobody. */
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

/** `GET /docs`: the API's description as a page to read and try, Swagger UI from this server alone. */
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
