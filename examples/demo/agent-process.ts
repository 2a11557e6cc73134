import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { createInterface, type Interface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** What the agent says of its question once it has asked. */
export interface Asked {
  readonly intentId: string;
  readonly suspensionId: string;
}

/** An agent that runs in a process of its own. */
export interface AgentProcess {
  /** Rejects where the agent ends before it has asked. */
  readonly asked: Promise<Asked>;
  /** The value it got, as JSON. Rejects where it ends without one. */
  readonly result: Promise<string>;
  readonly kill: () => void;
}

/** Starts `examples/refund-agent.ts` with these settings beside the environment of this process. */
export function startAgent(settings: Readonly<Record<string, string>>): AgentProcess {
  const { lines, ended, kill } = spawnAgent('refund-agent.ts', settings);
  const asked = new Promise<Asked>((resolve) => {
    lines.on('line', (line) => {
      const [, intentId, suspensionId] = /^ {2}intent (\S+), suspension (\S+)$/.exec(line) ?? [];
      if (intentId && suspensionId) resolve({ intentId, suspensionId });
    });
  });
  const result = new Promise<string>((resolve) => {
    lines.on('line', (line) => {
      const [, value] = /^result: (.*)$/.exec(line) ?? [];
      if (value !== undefined) resolve(value);
    });
  });
  return {
    asked: Promise.race([asked, ended]),
    result: Promise.race([result, ended]),
    kill,
  };
}

/** A program of `examples/` in a process of its own. */
export interface SpawnedAgent {
  readonly lines: Interface;
  /** Rejects where it ends, with what it wrote to its standard error. */
  readonly ended: Promise<never>;
  readonly kill: () => void;
}

const TSX = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;

/** Starts a file of `examples/` with these settings beside the environment of this process. */
export function spawnAgent(file: string, settings: Readonly<Record<string, string>>): SpawnedAgent {
  const program = fileURLToPath(new URL(`../${file}`, import.meta.url));
  const child = spawn(process.execPath, ['--import', TSX, program], {
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const ended = new Promise<never>((_resolve, reject) => {
    child.once('close', (code) => {
      reject(new Error(`an agent ended early (exit code ${String(code)}): ${errors.trim()}`));
    });
  });
  return { lines: createInterface({ input: child.stdout }), ended, kill: () => void child.kill() };
}
