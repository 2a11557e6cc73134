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
  private readonly ending = new AbortController();

  /**
   * @param args - its script, such as `examples/wire-agent.ts` or an absolute path of JavaScript, and the arguments of that
   * @param variables - what its environment has besides
   * @param interpreter - what runs the script
   */
  constructor(
    args: readonly string[],
    temporalAddress: string,
    variables: NodeJS.ProcessEnv = {},
    interpreter = process.execPath,
  ) {
    const env = { ...process.env, TEMPORAL_ADDRESS: temporalAddress, ...variables };
    const [script = '', ...more] = args;
    const file = path.isAbsolute(script) ? script : scriptOf(script);
    const child = spawn(interpreter, [file, ...more], {
      cwd: ROOT,
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    this.process = child;
    this.reader = createInterface(child.stdout).on('line', (line) => this.lines.push(line));
    this.reader.once('close', () => {
      this.ending.abort();
    });
  }

  /** What it has printed so far. */
  get printed(): string {
    return this.lines.join('\n');
  }

  /** Resolves once it has ended, with all that it has printed. */
  async ended(): Promise<string> {
    if (!this.ending.signal.aborted)
      await once(this.reader, 'close', { signal: AbortSignal.timeout(180_000) });
    return this.printed;
  }

  /** The first line that matches, printed before or still to come. Throws if the program ends, or is silent for a minute. */
  async line(pattern: RegExp): Promise<string> {
    for (;;) {
      const found = this.lines.find((line) => pattern.test(line));
      if (found !== undefined) return found;
      const missing = () => new Error(`There is no ${String(pattern)} in:\n${this.printed}`);
      if (this.ending.signal.aborted) throw missing();
      const signal = AbortSignal.any([AbortSignal.timeout(180_000), this.ending.signal]);
      await once(this.reader, 'line', { signal }).catch(() => {
        if (!this.ending.signal.aborted) throw missing();
      });
    }
  }

  async kill(): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    const gone = once(this.process, 'exit');
    this.process.kill('SIGKILL');
    await gone;
  }
}
