import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { installPinned } from '../support/virtual-env.js';

const HERE = import.meta.dirname;

/** One line of what an agent tells. */
export interface Step {
  readonly step: string;
  readonly [field: string]: unknown;
}

/** Installs the SDK from PyPI where it is not yet; returns its Python. */
export async function installSdk(): Promise<string> {
  return installPinned(path.join(HERE, 'requirements.txt'), 'python');
}

/** A process of its own that runs the real SDK (`agent.py`). */
export class SdkAgent {
  readonly steps: Step[] = [];
  private readonly child: ChildProcess;
  private readonly ended: Promise<unknown>;
  private errors = '';

  constructor(python: string, task: object) {
    this.child = spawn(python, [path.join(HERE, 'agent.py'), JSON.stringify(task)], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
    });
    const { stdout, stderr } = this.child;
    if (stdout) {
      createInterface({ input: stdout }).on('line', (line) => {
        this.steps.push(JSON.parse(line) as Step);
        this.child.emit('step');
      });
    }
    stderr?.on('data', (chunk: Buffer) => {
      this.errors += chunk.toString();
    });
    this.ended = once(this.child, 'close');
  }

  /** The first step of this name; rejects where the process ends before it. */
  async until(name: string): Promise<Step> {
    for (;;) {
      const found = this.steps.find(({ step }) => step === name);
      if (found) return found;
      const over = this.ended.then(() => 'over');
      const told = once(this.child, 'step').then(() => 'told');
      if (
        (await Promise.race([over, told])) === 'over' &&
        !this.steps.some((one) => one.step === name)
      )
        throw new Error(`no ${name}: ${JSON.stringify(this.steps)} ${this.errors}`);
    }
  }

  /** What it told last, once it has ended by itself. */
  async last(): Promise<Step> {
    await this.ended;
    const last = this.steps.at(-1);
    if (this.child.exitCode === 0 && last) return last;
    throw new Error(`ended with ${String(this.child.exitCode)}: ${this.errors}`);
  }

  /** Ends it as a crash would. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended;
  }
}
