import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { freePort } from '../../temporal-config/ports.js';
import { lookUntil } from '../support/looks.js';
import { scriptOf } from '../support/scripts.js';
import { containerOf, running, templateOf, type Manifest } from './manifests.js';
import type { Program } from './settings.js';

const LOOPBACK = '127.0.0.1';

/** A value for each variable that a chart takes from a Secret, or that is of this machine. */
export type Values = Readonly<Record<string, string>>;

/** A program that runs until it is stopped. */
export interface Lasting {
  /** Of the API: its address; of a worker: that of its pages. */
  readonly url: string;
  /** Ends it as Kubernetes does; resolves with its exit code. */
  readonly stop: () => Promise<number | null>;
}

/** Runs what a chart would run as processes: each program with the arguments and the variables that the chart gives it. */
export class Installation {
  private readonly folder: string;
  private readonly objects: readonly Manifest[];
  private readonly values: Values;
  private readonly processes: ChildProcess[] = [];

  /** @param objects - what the chart gives to Kubernetes */
  constructor(folder: string, objects: readonly Manifest[], values: Values) {
    this.folder = folder;
    this.objects = objects;
    this.values = values;
  }

  /** Makes the command `holdpoint` of a release, and the configuration of the chart. */
  async addRelease(release: string, bundle: string): Promise<void> {
    const bin = this.#binOf(release);
    await mkdir(bin, { recursive: true });
    const script = [
      '#!/bin/sh',
      `export HOLDPOINT_WORKFLOW_BUNDLE='${bundle}'`,
      `exec '${process.execPath}' '${scriptOf('service/cli.ts')}' "$@"`,
    ];
    await writeFile(path.join(bin, 'holdpoint'), `${script.join('\n')}\n`, { mode: 0o755 });
    const config = this.objects.find(({ data }) => data?.['openintent.yaml'] !== undefined);
    await writeFile(
      path.join(this.folder, 'openintent.yaml'),
      config?.data?.['openintent.yaml'] ?? '',
    );
  }

  /** Runs a job of the chart, which has to succeed; resolves with what it writes. */
  async job(release: string, program: 'migrate' | 'activate'): Promise<string> {
    return this.command(release, this.#argsOf(program), this.#envOf(program));
  }

  /** Runs a command of a release. */
  async command(release: string, args: readonly string[], values: Values): Promise<string> {
    const env = this.#environment(release, values);
    const run = promisify(execFile);
    const { stdout } = await run('holdpoint', args, { cwd: this.folder, env });
    return stdout.trim();
  }

  /** How Temporal uses the workers of a release. */
  async statusOf(release: string): Promise<string> {
    const said = await this.command(release, ['activate', '--status'], this.#envOf('activate'));
    return said.split(' ').at(-1) ?? '';
  }

  /** What the pods of the API wait for before they start it. */
  waitForWorkers(release: string): {
    readonly isOver: () => boolean;
    readonly end: Promise<number>;
  } {
    const api = running(this.objects, 'api');
    const [wait] = (api && templateOf(api)?.spec.initContainers) ?? [];
    const [program = '', ...args] = wait?.command ?? [];
    const child = this.#spawn(program, args, this.#environment(release, this.#envOf('activate')));
    return {
      isOver: () => child.exitCode !== null,
      end: once(child, 'exit').then(([code]) => Number(code)),
    };
  }

  /** Starts worker or API; resolves once it is ready. */
  async start(release: string, program: 'worker' | 'api'): Promise<Lasting> {
    const [port, pages] = [await freePort(LOOPBACK), await freePort(LOOPBACK)];
    const metrics = program === 'api' ? 'HOLDPOINT_API_METRICS' : 'HOLDPOINT_WORKER_METRICS';
    const env = this.#environment(release, {
      ...this.#envOf(program),
      HOST: LOOPBACK,
      PORT: String(port),
      [metrics]: `${LOOPBACK}:${pages}`,
    });
    const child = this.#spawn('holdpoint', this.#argsOf(program), env);
    const errors = text(child.stderr);
    child.stdout.resume();
    const url = `http://${LOOPBACK}:${program === 'api' ? port : pages}`;
    await lookUntil(async () => {
      if (child.exitCode !== null) throw new Error(`${program} has ended: ${await errors}`);
      const reply = await fetch(`${url}/ready`).catch(() => undefined);
      return reply?.ok;
    }, `${program} of ${release} is never ready`);
    return { url, stop: () => ended(child) };
  }

  /** Ends what still runs. */
  async close(): Promise<void> {
    await Promise.all(this.processes.map(ended));
  }

  #binOf(release: string): string {
    return path.join(this.folder, release);
  }

  #argsOf(program: Program): readonly string[] {
    return containerOf(running(this.objects, program))?.args ?? [];
  }

  /** The variables that the chart gives to a program. */
  #envOf(program: Program): Values {
    const env = containerOf(running(this.objects, program))?.env ?? [];
    return Object.fromEntries(
      env.map(({ name, value }) => {
        const given = this.values[name] ?? value;
        if (given === undefined) throw new Error(`This test has no value for ${name}.`);
        return [name, given];
      }),
    );
  }

  #environment(release: string, values: Values): NodeJS.ProcessEnv {
    const { PATH = '', HOME } = process.env;
    return { PATH: `${this.#binOf(release)}:${PATH}`, HOME, ...values };
  }

  #spawn(program: string, args: readonly string[], env: NodeJS.ProcessEnv) {
    const child = spawn(program, args, {
      cwd: this.folder,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.processes.push(child);
    return child;
  }
}

async function ended(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) {
    const gone = once(child, 'exit');
    child.kill('SIGTERM');
    await gone;
  }
  return child.exitCode;
}
