import { Router } from 'express';
import { addRoute } from './add-route.js';
import type { RouteMethod } from './add-route.js';
import type { Route } from './route.js';

/** A router with these routes, those of one path together, in the order in which they come. */
export function mount(routes: readonly Route[]): Router {
  const router = Router();
  const paths = new Map<string, Partial<Record<RouteMethod, Route['chain']>>>();
  for (const { path, method, chain } of routes) {
    paths.set(path, { ...paths.get(path), [method]: chain });
  }
  for (const [path, handlers] of paths) addRoute(router, path, handlers);
  return router;
}
