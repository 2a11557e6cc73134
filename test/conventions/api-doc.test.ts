import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { describe, it } from 'mocha';

const ROUTES = new URL('../../api/routes/', import.meta.url);
const PROBES = ['GET /health', 'GET /ready'];

/** Every route as the sources add it, such as `GET /intents/:intentId`. */
async function routesInCode(): Promise<string[]> {
  const files = await readdir(ROUTES);
  const sources = await Promise.all(files.map((file) => readFile(new URL(file, ROUTES), 'utf8')));
  return sources.flatMap((source) =>
    source
      .split('addRoute(')
      .slice(1)
      .flatMap((added) => {
        const path = /^router, '([^']+)'/.exec(added)?.[1] ?? 'unreadable';
        const verbs = [...added.matchAll(/^ {4}(get|post|patch|delete):/gm)];
        return verbs.map(([, verb]) => `${verb?.toUpperCase()} ${path}`);
      }),
  );
}

describe('the API page', () => {
  it('names each route, and no other', async () => {
    const page = await readFile(new URL('../../docs/api.md', import.meta.url), 'utf8');
    const named = [...page.matchAll(/^\| `([A-Z]+ \/[^`]+)`/gm)].map(([, route]) => route);
    const added = await routesInCode();
    assert.ok(added.length > 15);
    assert.deepEqual([...named, ...PROBES].sort(), added.sort());
  });
});
