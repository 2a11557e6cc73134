import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { scriptOf } from '../support/scripts.js';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** A program of an example as a process of its own, and the lines it prints. */
export class Program {
  readonly process: ChildProcess;
  private readonly lines: string[] = [];
  private readonly reader: Interface;
  private closed = false;

  /**
   * @param args - its script, such as `examples/wire-agent.ts`, and the arguments of that
   * @param variables - what its environment has besides
   */
  constructor(args: readonly string[], temporalAddress: string, variables: NodeJS.ProcessEnv = {}) {
    const env = { ...process.env, TEMPORAL_ADDRESS: temporalAddress, ...variables };
    const [script = '', ...more] = args;
    const child = spawn(process.execPath, [scriptOf(script), ...more], {
      cwd: ROOT,
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    this.process = child;
    this.reader = createInterface(child.stdout).on('line', (line) => this.lines.push(line));
    this.reader.once('close', () => {
      this.closed = true;
    });
  }

  /** What it has printed so far. */
  get printed(): string {
    return this.lines.join('\n');
  }

  /** Resolves once it has ended, with all that it has printed. */
  async ended(): Promise<string> {
    if (!this.closed) await once(this.reader, 'close', { signal: AbortSignal.timeout(60_000) });
    return this.printed;
  }

  /** The first line that matches, printed before or still to come. */
  async line(pattern: RegExp): Promise<string> {
    for (;;) {
      const found = this.lines.find((line) => pattern.test(line));
      if (found !== undefined) return found;
      await once(this.reader, 'line', { signal: AbortSignal.timeout(60_000) });
    }
  }

  async kill(): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    const gone = once(this.process, 'exit');
    this.process.kill('SIGKILL');
    await gone;
  }
}
