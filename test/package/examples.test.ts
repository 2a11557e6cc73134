import assert from 'node:assert/strict';
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { cp, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { satisfies } from 'semver';
import type { ApiKey } from '../../contracts/people/api-key.js';
import { freePorts } from '../../service/ports.js';
import { ROOT, installInto, linkPackage, projectWith, type Project } from './packed.js';

const EXAMPLES = ['plain', 'own-worker', 'model-mcp'] as const;

/** A program in a terminal of its own, and each line that it has printed. */
class Running {
  readonly child: ChildProcessByStdio<null, Readable, Readable>;
  readonly closed: Promise<unknown>;
  readonly #lines: string[] = [];
  readonly #reader;

  constructor(command: readonly string[], cwd: string, env: NodeJS.ProcessEnv) {
    const { PATH, HOME, TEMPORAL_CLI_PATH } = process.env;
    const [program = '', ...args] = command;
    this.child = spawn(program, args, {
      cwd,
      env: { PATH, HOME, ...(TEMPORAL_CLI_PATH && { TEMPORAL_CLI_PATH }), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    this.#reader = createInterface(this.child.stdout).on('line', (line) => this.#lines.push(line));
    createInterface(this.child.stderr).on('line', (line) => this.#lines.push(line));
    // The output is closed once everything that the program started has ended, too.
    this.closed = once(this.child, 'close');
  }

  get printed(): string {
    return this.#lines.join('\n');
  }

  /** Resolves with what a pattern finds in the output; rejects if the program ends without that. */
  async says(wanted: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const found = wanted.exec(this.printed);
      if (found !== null) return found;
      const next = once(this.#reader, 'line').then(() => true);
      const goesOn = await Promise.race([next, this.closed.then(() => false)]);
      const last = wanted.exec(this.printed);
      if (last === null && !goesOn) throw new Error(`Never ${String(wanted)}: ${this.printed}`);
    }
  }

  /** Ends it as Ctrl-C does, which reaches a program also through npm and a shell. */
  async stop(): Promise<void> {
    const { pid, exitCode, signalCode } = this.child;
    if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, 'SIGINT');
    await this.closed;
  }
}

describe('a project of one’s own, from the packages', function () {
  this.timeout(1_200_000);
  let project: Project;
  let stack: Running;
  let settings: Readonly<Record<'agent' | 'operator', NodeJS.ProcessEnv>>;
  before(async () => {
    project = await projectWith('holdpoint');
    await installInto(project.folder, 'holdpoint-client');
    for (const name of EXAMPLES) {
      await cp(path.join(ROOT, 'examples', name), path.join(project.folder, name), {
        recursive: true,
      });
      for (const one of Object.keys(await dependenciesOf(name))) {
        await linkPackage(project.folder, one);
      }
    }
    const { api } = await freePorts();
    const start = ['npx', '--no', 'holdpoint', 'start'];
    stack = new Running(start, project.folder, { PORT: String(api) });
    await stack.says(/^Ctrl-C/m);
    const data = path.join(project.folder, '.holdpoint');
    const keys = JSON.parse(
      await readFile(path.join(data, 'development-keys.json'), 'utf8'),
    ) as ApiKey[];
    const keyOf = (role: ApiKey['roles'][number]) =>
      keys.find(({ roles }) => roles.includes(role))?.key;
    const [, temporal = ''] = await stack.says(/^ +Temporal +(127\.0\.0\.1:\d+)/m);
    const shared = { HOLDPOINT_URL: `http://127.0.0.1:${api}`, TEMPORAL_ADDRESS: temporal };
    settings = {
      agent: { ...shared, HOLDPOINT_API_KEY: keyOf('agent') },
      operator: { ...shared, HOLDPOINT_API_KEY: keyOf('operator') },
    };
  });
  after(async () => {
    await stack.stop();
    await project.remove();
  });

  async function dependenciesOf(name: string): Promise<Readonly<Record<string, string>>> {
    const text = await readFile(path.join(ROOT, 'examples', name, 'package.json'), 'utf8');
    return (JSON.parse(text) as { dependencies: Record<string, string> }).dependencies;
  }

  /** Starts a script of an example. */
  function runs(name: string, script: string, ...args: readonly string[]): Running {
    const command = ['npm', 'run', '--silent', script, '--', ...args];
    return new Running(command, path.join(project.folder, name), settings.agent);
  }

  /** Answers a question as an operator does who reads the terminal of the service. */
  async function answer(question: RegExp, ...value: readonly string[]): Promise<void> {
    const [, id = ''] = await stack.says(
      new RegExp(`${question.source}[^]*?\\b([0-9a-f]{8})(?![0-9a-f-])`),
    );
    const command = ['npx', '--no', 'holdpoint', 'answer', id, ...value];
    const answering = new Running(command, project.folder, settings.operator);
    assert.deepEqual(await answering.closed, [0, null], answering.printed);
  }

  it('starts a whole Holdpoint in an empty folder, and says how to go on', async () => {
    assert.match(stack.printed, /^ .*\bnpx holdpoint ask /m);
    // The output is a pipe, so it has no keys.
    assert.ok(!stack.printed.includes(settings.agent['HOLDPOINT_API_KEY'] ?? ' '));
    const reply = await fetch(`${String(settings.agent['HOLDPOINT_URL'])}/ready`);
    assert.equal(reply.status, 200, await reply.text());
    await assert.rejects(stat(path.join(project.folder, '.holdpoint/workflow-bundle.js')), {
      code: 'ENOENT',
    });
  });

  it('needs what the examples name, in versions that are here', async () => {
    for (const name of EXAMPLES) {
      for (const [one, wanted] of Object.entries(await dependenciesOf(name))) {
        const file = path.join(project.folder, 'node_modules', one, 'package.json');
        const { version } = JSON.parse(await readFile(file, 'utf8')) as { version: string };
        assert.ok(satisfies(version, wanted), `${name} wants ${one} ${wanted}, and has ${version}`);
      }
    }
  });

  it('asks from plain TypeScript', async () => {
    const agent = runs('plain', 'start', '7');
    await answer(/Refund order #7\?/, 'yes');
    await agent.says(/^dev-operator said yes$\n^order 7 is refunded$/m);
    await agent.closed;
  });

  it('asks from a workflow in a worker of one’s own', async () => {
    const worker = runs('own-worker', 'worker');
    try {
      await worker.says(/^ready$/m);
      const agent = runs('own-worker', 'start', '8');
      await answer(/Refund order #8\?/, 'yes');
      await agent.says(/^order 8 is refunded$/m);
      await agent.closed;
    } finally {
      await worker.stop();
    }
  });

  it('lets a model ask over MCP', async () => {
    const agent = runs('model-mcp', 'start');
    await answer(/Deploy build 7 to production\?/, 'yes');
    await agent.says(/^build 7 is deployed$/m);
    await agent.closed;
  });

  it('ends when it is asked to, with everything that it started', async () => {
    await stack.stop();
    assert.match(stack.printed, /^Stopping\.$/m);
  });
});
