import { existsSync } from 'node:fs';
import { copyFile, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Files of Swagger UI that the page loads; the rest of its package is not served. */
export const VIEWER_FILES = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'];
const LICENCES = ['LICENSE', 'NOTICE', 'swagger-ui-bundle.js.LICENSE.txt'];

/** Where a build keeps those files: the whole package is seven times as large. */
const BUILT = fileURLToPath(new URL('./viewer/', import.meta.url));

/** Returns the folder of the files: of the build, or in a checkout of their package. */
export function viewerFolder(): string {
  return existsSync(BUILT) ? BUILT : packageFolder();
}

function packageFolder(): string {
  return path.dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/swagger-ui.css')));
}

export async function copyViewer(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const file of [...VIEWER_FILES, ...LICENCES]) {
    await copyFile(path.join(packageFolder(), file), path.join(folder, file));
  }
}
