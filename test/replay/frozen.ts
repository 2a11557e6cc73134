import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { FrozenHistory } from './histories.js';

/** A folder for each build that was frozen, with its bundle and the histories that its workflows left. */
export const FROZEN = new URL('frozen/', import.meta.url);

/** How the folders of builds end that hold agents, and the module of workflows that they were built from. */
export const AGENT_BUILDS = {
  /** They ask questions, run flows and pause. */
  '-agents': 'agent-workflows',
  /** They gate their tools. */
  '-gates': 'gated-agents',
} as const;

/** How the folder of a build of agents ends. */
export type AgentBuild = keyof typeof AGENT_BUILDS;

/** The module of agents whose build is in a folder; undefined where the build is Holdpoint's own. */
export function agentModuleOf(folder: string): string | undefined {
  const [, module] = Object.entries(AGENT_BUILDS).find(([end]) => folder.endsWith(end)) ?? [];
  return module;
}

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

/** Freezes a build in a new folder; fails if there is one of this name, for what is frozen is never frozen again. */
export async function keepFrozen(
  name: string,
  bundle: Buffer,
  histories: readonly FrozenHistory[],
): Promise<void> {
  const folder = new URL(`${name}/`, FROZEN);
  await mkdir(FROZEN, { recursive: true });
  await mkdir(folder);
  const keep = (file: string, content: string | Buffer) =>
    writeFile(new URL(file, folder), gzipSync(content, { level: 9 }));
  await keep('workflow-bundle.js.gz', bundle);
  await keep('histories.json.gz', JSON.stringify(histories));
}
