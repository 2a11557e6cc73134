import { Router } from 'express';
import type { ServerConfig } from '../../contracts/config.js';
import type { Gateway } from '../gateway/types.js';
import { addRoute } from '../http/add-route.js';

/** Version of the OpenIntent protocol that names and forms follow. */
const PROTOCOL_VERSION = '0.1';

/** `GET /health` (the process lives) and `GET /ready` (each dependency named; 503 if one is not ok). */
export function healthRoutes(gateway: Gateway): Router {
  const router = Router();
  addRoute(router, '/health', {
    get: [
      (_req, res) => {
        res.json({ status: 'ok' });
      },
    ],
  });
  addRoute(router, '/ready', {
    get: [
      async (_req, res) => {
        const dependencies = await gateway.readiness();
        const ready = Object.values(dependencies).every(({ ok }) => ok);
        if (!ready) res.status(503).setHeader('Retry-After', '1');
        res.json({ status: ready ? 'ready' : 'not_ready', dependencies });
      },
    ],
  });
  return router;
}

/** `GET /server/config`: what clients may know of the configuration, read-only (R26-70, AM-25). */
export function configRoutes(config: ServerConfig): Router {
  const router = Router();
  const { default_retry_policy } = config.suspension;
  addRoute(router, '/server/config', {
    get: [
      (_req, res) => {
        res.json({ protocol_version: PROTOCOL_VERSION, suspension: { default_retry_policy } });
      },
    ],
  });
  return router;
}
