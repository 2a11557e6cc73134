import react from '@vitejs/plugin-react';
import path from 'node:path';
import { defineConfig } from 'vite';

/** Where `npm start` serves the API; `npm run dev` in this folder passes on to it what the page asks for. */
const API = process.env['HOLDPOINT_URL'] ?? 'http://127.0.0.1:4000';

/**
 * Builds the inbox into `dist/web`, to be served under `/inbox/`. All scripts and styles are files of their own: the
 * Content-Security-Policy of the page allows nothing inline, and nothing from elsewhere.
 */
// eslint-disable-next-line import-x/no-default-export -- Vite reads it.
export default defineConfig({
  root: import.meta.dirname,
  base: '/inbox/',
  plugins: [react()],
  build: {
    outDir: path.resolve(import.meta.dirname, '../dist/web'),
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // `light-dark()` is left as it is.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    reportCompressedSize: false,
    manifest: true,
  },
  server: { proxy: { '/v1': API, '/session': API } },
});
