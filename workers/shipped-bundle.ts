import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The workflow bundle that `npm run build` puts beside the programs; undefined in the sources. */
export function shippedBundle(): string | undefined {
  const file = fileURLToPath(new URL('../workflow-bundle.js', import.meta.url));
  return existsSync(file) ? file : undefined;
}
