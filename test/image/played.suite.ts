import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { after, afterEach, before, describe, it } from 'mocha';
import { freePorts } from '../../service/ports.js';
import { lookUntil } from '../support/looks.js';
import { startPostgres, type PostgresServer } from '../support/postgres.js';
import { SEEDS } from '../support/secrets.js';
import { startOnFreePort } from '../support/temporal.js';
import { copyContext } from './build-context.js';
import { Container, WHY_NOT_CONTAINED, commandOf, type Setup } from './container.js';
import { imageOf } from './dockerfile.js';
import { ROOT } from './faults.js';

const MINUTE_MS = 60_000;
const MOST_BYTES = 250e6;
const STEPS = path.join(ROOT, 'deploy/image');
const run = promisify(execFile);

/** What `docker build` does, in an empty folder. */
class Build {
  readonly folder: string;
  readonly tree: string;
  readonly temporal: string;

  constructor(folder: string) {
    this.folder = folder;
    this.tree = path.join(folder, 'tree');
    this.temporal = path.join(folder, 'temporal');
  }

  async make(): Promise<void> {
    const [sources, packed] = [path.join(this.folder, 'src'), path.join(this.folder, 'package')];
    const ignored = await readFile(path.join(ROOT, '.dockerignore'), 'utf8');
    await copyContext(ROOT, sources, ignored);
    await this.#step(sources, 'pack.sh', packed);
    await this.#step(sources, 'install.sh', packed, sources, this.tree);
    await this.#step(sources, 'prune.sh', this.tree);
  }

  fetchTemporal(): Promise<void> {
    return this.#step(this.folder, 'temporal-cli.mjs', this.tree, this.temporal);
  }

  async #step(cwd: string, name: string, ...args: readonly string[]): Promise<void> {
    // A builder has none of the settings that npm gives to what it runs.
    const { PATH, HOME, HOLDPOINT_CACHE_DIR } = process.env;
    const env = { PATH, HOME, ...(HOLDPOINT_CACHE_DIR && { HOLDPOINT_CACHE_DIR }) };
    await run(path.join(STEPS, name), args, { cwd, env, maxBuffer: 2 ** 26 });
  }
}

/** Whether a page answers with 200. */
async function isGreen(url: string): Promise<boolean> {
  const reply = await fetch(url).catch(() => undefined);
  return reply?.ok === true;
}

describe('the image, played without a container engine', function () {
  this.timeout(20 * MINUTE_MS);
  let build: Build;
  const running: Container[] = [];
  before(async () => {
    if (WHY_NOT_CONTAINED !== undefined) {
      process.stdout.write(
        `This machine does not allow another root and user, so that is not shown here: ${WHY_NOT_CONTAINED}\n`,
      );
    }
    build = new Build(await mkdtemp(path.join(tmpdir(), 'holdpoint-image-')));
    await build.make();
  });
  afterEach(async () => {
    for (const one of running.splice(0)) await one.stop();
  });
  after(() => rm(build.folder, { recursive: true, force: true }));

  /** How containers of a target run. */
  async function setupOf(target: string, env: Setup['env'] = {}): Promise<Setup> {
    const image = imageOf(await readFile(path.join(ROOT, 'Dockerfile'), 'utf8'), target);
    return { image, binds: [{ from: build.tree, to: '/opt/holdpoint' }], env };
  }

  function start(setup: Setup, ...args: readonly string[]): Container {
    const container = new Container(setup, commandOf(setup.image, ...args));
    running.push(container);
    return container;
  }

  /** Runs a command of the image, which has to succeed; returns what it writes. */
  async function done(setup: Setup, args: readonly string[], input?: string): Promise<string> {
    const { out, err, code } = await new Container(setup, args, input).outcome;
    assert.equal(code, 0, `${args.join(' ')}: ${out}${err}`);
    return out.trim();
  }

  const holdpoint = (setup: Setup, args: readonly string[], input?: string): Promise<string> =>
    done(setup, commandOf(setup.image, ...args), input);

  /** Whether the health check of the image succeeds. */
  async function isHealthy(setup: Setup, ...more: readonly string[]) {
    const check = new Container(setup, [...setup.image.health, ...more]);
    return (await check.outcome).code === 0;
  }

  async function untilGreen(container: Container, url: string): Promise<void> {
    await lookUntil(async () => {
      if (container.isRunning) return isGreen(url);
      const { out, err } = await container.outcome;
      throw new Error(`It has ended: ${out}${err}`);
    }, `${url} is never green`);
  }

  /** Asks as an agent, answers as an operator, and returns what the agent hears. */
  async function answeredOf(agent: Setup, operator: Setup): Promise<unknown> {
    const ask = ['ask', 'Ship it?', '--request-key', 'ship-1'];
    const id = await holdpoint(agent, [...ask, '--no-wait']);
    await holdpoint(operator, ['answer', id, 'yes']);
    const { value } = JSON.parse(await holdpoint(agent, [...ask, '--json'])) as { value: unknown };
    return value;
  }

  it('has at most 250 MB', async () => {
    const { stdout } = await run('du', ['-s', '--block-size=1', build.tree]);
    const bytes = Number.parseInt(stdout, 10);
    process.stdout.write(`The installation has ${Math.round(bytes / 1e6)} MB.\n`);
    assert.ok(bytes > 100e6 && bytes <= MOST_BYTES, `${bytes} bytes`);
  });

  it('runs as process 1, as its own user and on a root that is read-only, where that is allowed', async () => {
    const setup = await setupOf('production');
    const script = `
      let write = 'written';
      try { require('fs').writeFileSync('/opt/holdpoint/bin/new', ''); } catch ({ code }) { write = code; }
      console.log(JSON.stringify([process.pid, process.getuid(), process.cwd(), write]));`;
    const seen = JSON.parse(await done(setup, ['node', '-e', script])) as unknown[];
    const isContained = WHY_NOT_CONTAINED === undefined;
    assert.deepEqual(
      isContained ? seen : [seen[1]],
      isContained ? [1, 1000, '/etc/holdpoint', 'EROFS'] : [process.getuid?.()],
    );
  });

  it('trusts authorities, so that Temporal may be behind TLS', async () => {
    const setup = await setupOf('production');
    const script = `
      const { NativeConnection } = require('/opt/holdpoint/node_modules/@temporalio/worker');
      const nowhere = { address: '127.0.0.1:1', tls: true };
      NativeConnection.connect(nowhere).catch(({ message }) => console.log(message));`;
    assert.match(await done(setup, ['node', '-e', script]), /Connection refused/);
  });

  it('lists its commands to whoever names none', async () => {
    const setup = await setupOf('production');
    assert.match(await done(setup, commandOf(setup.image)), /^Usage: holdpoint <command>/);
  });

  describe('for production', () => {
    let postgres: PostgresServer;
    let temporal: Awaited<ReturnType<typeof startOnFreePort>>;
    before(async () => {
      postgres = await startPostgres();
      temporal = await startOnFreePort();
    });
    after(async () => {
      await temporal.stop();
      await postgres.stop();
    });

    it('migrates, serves, is asked and answered, and ends with 0 on SIGTERM', async () => {
      const ports = await freePorts();
      const workerPort = String(ports.temporalUi);
      const keyFile = path.join(build.folder, 'keys.json');
      const plain = await setupOf('production', {
        DATABASE_URL: postgres.url,
        TEMPORAL_ADDRESS: temporal.address,
        HOLDPOINT_ID_SECRETS: 'a secret for ids of 32 characters',
        HOLDPOINT_API_KEYS_FILE: '/etc/holdpoint/keys.json',
        // The image itself listens on all addresses.
        HOST: '127.0.0.1',
        PORT: String(ports.api),
        HOLDPOINT_WORKER_METRICS: `127.0.0.1:${workerPort}`,
      });
      const keyOf = async (principal: string, role: string, key: string) => ({
        principal,
        roles: [role],
        key: await holdpoint(plain, ['hash-key'], key),
      });
      const keys = [
        await keyOf('agent-1', 'agent', SEEDS.agentKey),
        await keyOf('alice', 'operator', SEEDS.operatorKey),
      ];
      await writeFile(keyFile, JSON.stringify(keys));
      const setup: Setup = {
        ...plain,
        binds: [...plain.binds, { from: keyFile, to: '/etc/holdpoint/keys.json' }],
      };

      assert.equal(await isHealthy(setup), false);
      await holdpoint(setup, ['migrate']);
      const worker = start(setup, 'worker');
      await untilGreen(worker, `http://127.0.0.1:${workerPort}/health`);
      assert.equal(await isHealthy(setup), true);
      await holdpoint(setup, ['activate']);
      const api = start(setup, 'api');
      const url = `http://127.0.0.1:${ports.api}`;
      await untilGreen(api, `${url}/ready`);
      assert.equal(await isHealthy(setup, '/ready'), true);

      const as = (key: string): Setup => ({
        ...setup,
        env: { ...setup.env, HOLDPOINT_URL: url, HOLDPOINT_API_KEY: key },
      });
      assert.equal(await answeredOf(as(SEEDS.agentKey), as(SEEDS.operatorKey)), 'yes');

      for (const one of [api, worker]) {
        const { code, err } = await one.stop();
        assert.equal(code, 0, err);
      }
      assert.equal(await isHealthy(setup), false);
    });
  });

  describe('to evaluate', () => {
    it('starts all parts, is asked and answered, and ends with 0 on SIGTERM', async () => {
      await build.fetchTemporal();
      const data = path.join(build.folder, 'data');
      await mkdir(data);
      const ports = await freePorts();
      const plain = await setupOf('evaluate', {
        PORT: String(ports.api),
        HOLDPOINT_TEMPORAL_PORT: String(ports.temporal),
      });
      const [uid = 0, gid = 0] = plain.image.user.split(':').map(Number);
      if (WHY_NOT_CONTAINED === undefined) await chown(data, uid, gid);
      const setup: Setup = {
        ...plain,
        binds: [
          ...plain.binds,
          { from: build.temporal, to: '/usr/local/bin/temporal' },
          { from: data, to: '/data', isWritable: true },
        ],
      };
      const service = start(setup);
      await untilGreen(service, `http://127.0.0.1:${ports.api}/ready`);
      assert.equal(await isHealthy(setup, '/ready'), true);
      assert.equal(await answeredOf(setup, setup), 'yes');
      const { code, out, err } = await service.stop();
      assert.equal(code, 0, out + err);
      assert.match(out, /^Stopping\.$/m);
    });
  });
});
