import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import { frozenHistories, type FrozenHistory } from './histories.js';

/** A folder for each build that was frozen, with its bundle; builds of agents have their histories there too. */
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

/** Returns a frozen build, by the name of its folder: a version, with the end of those of agents. */
export function frozenBuild(name: string): FrozenBuild {
  const read = (file: string) =>
    gunzipSync(readFileSync(new URL(`${name}/${file}`, FROZEN))).toString();
  const histories =
    agentModuleOf(name) === undefined
      ? frozenHistories().filter(({ version }) => version === name)
      : (JSON.parse(read('histories.json.gz')) as readonly FrozenHistory[]);
  return { code: read('workflow-bundle.js.gz'), histories };
}

/** The source map in a bundle, half of what it takes; the SDK demands that there is one. */
const SOURCE_MAP = /(?<=sourceMappingURL=data:application\/json;charset=utf-8;base64,)\S+/;
const NO_SOURCES = Buffer.from(
  '{"version":3,"file":"workflow-bundle.js","sources":[],"mappings":""}',
).toString('base64');

/**
 * Freezes a build in a new folder; fails if there is one of this name, for what is frozen is never frozen again.
 *
 * @param histories - those of agents; the others are in a folder of their version
 */
export async function keepFrozen(
  name: string,
  bundle: string,
  histories?: readonly FrozenHistory[],
): Promise<void> {
  const folder = new URL(`${name}/`, FROZEN);
  await mkdir(FROZEN, { recursive: true });
  await mkdir(folder);
  const keep = (file: string, content: string) =>
    writeFile(new URL(file, folder), gzipSync(content, { level: 9 }));
  await keep('workflow-bundle.js.gz', bundle.replace(SOURCE_MAP, NO_SOURCES));
  if (histories) await keep('histories.json.gz', JSON.stringify(histories));
}

/** The workflows of a frozen build under a build id of their own, also while nothing has changed since they were frozen. */
export function frozenCode(version: string): string {
  return `// frozen\n${frozenBuild(version).code}`;
}
