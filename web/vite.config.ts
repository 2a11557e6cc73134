import react from '@vitejs/plugin-react';
import { createHash } from 'node:crypto';
import path from 'node:path';
import { defineConfig, type Plugin } from 'vite';

/** The address of the API from `npm start`; `npm run dev` in this folder proxies the page's requests to it. */
const API = process.env['HOLDPOINT_URL'] ?? 'http://127.0.0.1:4000';

const BASE = '/inbox/';
const WORKER = 'service-worker.js';
/** The placeholder in the service worker for the names of the files that it keeps. */
const PLACE = /\bHOLDPOINT_BUILD\b/g;

/**
 * Builds the service worker beside the page. It keeps all files with a hash in their names, one of which is a copy of
 * the page.
 */
function serviceWorker(): Plugin {
  return {
    name: 'holdpoint-service-worker',
    apply: 'build',
    enforce: 'post',
    buildStart() {
      const id = path.resolve(import.meta.dirname, 'worker/service-worker.ts');
      this.emitFile({ type: 'chunk', id, fileName: WORKER });
    },
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const page = bundle['index.html'];
        const worker = bundle[WORKER];
        if (page?.type !== 'asset' || worker?.type !== 'chunk')
          this.error('The build lacks the page or the service worker.');
        const hash = createHash('sha256').update(page.source).digest('hex').slice(0, 8);
        const copy = `assets/page-${hash}.html`;
        this.emitFile({ type: 'asset', fileName: copy, source: page.source });
        const names = Object.keys(bundle).filter((name) => name.startsWith('assets/'));
        const files = [...new Set([...names, copy])].sort().map((name) => BASE + name);
        const build = JSON.stringify({ files, shell: BASE + copy });
        worker.code = worker.code.replace(PLACE, () => `(${build})`);
      },
    },
  };
}

/**
 * Builds the inbox into `dist/web`, to be served under `/inbox/`. All scripts and styles are separate files: the
 * page's Content-Security-Policy allows nothing inline, and nothing from elsewhere.
 */
// eslint-disable-next-line holdpoint/no-default-export -- Vite reads it.
export default defineConfig({
  root: import.meta.dirname,
  base: BASE,
  plugins: [react(), serviceWorker()],
  build: {
    outDir: path.resolve(import.meta.dirname, '../dist/web'),
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // `light-dark()` is not compiled.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    reportCompressedSize: false,
    manifest: true,
  },
  server: { proxy: { '/v1': API, '/session': API } },
});
