import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { installPinned } from '../support/virtual-env.js';

const HERE = import.meta.dirname;

/** One phase of schemathesis: `examples`, `coverage`, `fuzzing` or `stateful`. */
export interface Phase {
  readonly name: string;
  /** Cases for each operation at most; how many `coverage` makes follows from the schemas alone. */
  readonly cases: number;
}

export interface Outcome {
  readonly code: number | null;
  /** The whole report, as for a person. */
  readonly report: string;
  /** Cases that were generated. */
  readonly cases: number;
}

/** Installs schemathesis where it is not yet; returns the command. */
export async function installSchemathesis(): Promise<string> {
  return installPinned(path.join(HERE, 'requirements.txt'), 'schemathesis');
}

/** Runs one phase against an API with a key that may do all; its caches end with it. */
export async function runSchemathesis(
  command: string,
  api: { readonly url: string; readonly key: string },
  { name, cases }: Phase,
): Promise<Outcome> {
  const folder = await mkdtemp(path.join(tmpdir(), 'holdpoint-schemathesis-'));
  const args = [
    '--config-file',
    path.join(HERE, 'schemathesis.toml'),
    'run',
    `${api.url}/v1/openapi.json`,
    '--phases',
    name,
    '--max-examples',
    String(cases),
    '--checks',
    'all',
    '--seed',
    '1',
  ];
  const env = {
    ...process.env,
    HOLDPOINT_TEST_KEY: api.key,
    SCHEMATHESIS_HOOKS: path.join(HERE, 'hooks.py'),
    PYTHONDONTWRITEBYTECODE: '1',
  };
  const child = spawn(command, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  const [code] = (await once(child, 'close')) as [number | null];
  await rm(folder, { recursive: true, force: true });
  const report = Buffer.concat(chunks).toString();
  return { code, report, cases: Number(/\b(\d+) generated/.exec(report)?.[1] ?? 0) };
}
