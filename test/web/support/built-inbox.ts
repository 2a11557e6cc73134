import path from 'node:path';
import { cachedBuild } from '../../support/cached-builds.js';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const SOURCES = [
  'web/index.html',
  'web/vite.config.ts',
  'web/public',
  'web/src',
  'web/worker',
  'contracts',
  'domain',
];

/** The built inbox, made once for each content of its sources. */
export function builtInbox(): Promise<string> {
  return cachedBuild('inbox', SOURCES, async (target) => {
    const { build } = await import('vite');
    await build({
      configFile: path.join(ROOT, 'web/vite.config.ts'),
      logLevel: 'warn',
      build: { outDir: target },
    });
  });
}
