import { fileURLToPath } from 'node:url';
import { siblingScript } from '../../service/node-process.js';

/**
 * The script of a program, for a process that a test starts: compiled as the test itself is, so that Node runs it
 * with no loader.
 *
 * @param source - relative to the repository, such as `workers/main.ts`
 */
export function scriptOf(source: string): string {
  return fileURLToPath(siblingScript(`../${source.replace(/\.ts$/, '')}`));
}
