import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { FrozenHistory } from './histories.js';

/** A folder for each build that was frozen, with its bundle and the histories that its workflows left. */
export const FROZEN = new URL('frozen/', import.meta.url);

/** A build of the workflows as it was when it was frozen. */
export interface FrozenBuild {
  /** The code of its workflow bundle, for `Worker.create`. */
  readonly code: string;
  readonly histories: readonly FrozenHistory[];
}

/** Returns a frozen build, by the name of its folder. */
export function frozenBuild(name: string): FrozenBuild {
  const read = (file: string) =>
    gunzipSync(readFileSync(new URL(`${name}/${file}`, FROZEN))).toString();
  return {
    code: read('workflow-bundle.js.gz'),
    histories: JSON.parse(read('histories.json.gz')) as readonly FrozenHistory[],
  };
}
