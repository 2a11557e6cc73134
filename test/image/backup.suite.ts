import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, rm, symlink, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { after, before, describe, it } from 'mocha';
import { parse } from 'yaml';
import type { BenchServer } from '../../bench/bench-server.js';
import {
  resolveServerPrograms,
  type ServerPrograms,
} from '../../bench/postgres/server-programs.js';
import { startTemporalServer } from '../../bench/postgres/temporal-server.js';
import { isolatedEnv } from '../../service/settings.js';
import { resolveTemporalCli } from '../../temporal-config/cli.js';
import { FaultStack } from '../faults/fault-stack.js';
import { lookUntil } from '../support/looks.js';
import { binaries, startPostgres, type PostgresServer } from '../support/postgres.js';
import { endOf } from '../support/processes.js';
import { scriptOf } from '../support/scripts.js';
import { ROOT } from './faults.js';

const SCRIPTS = path.join(ROOT, 'deploy/compose');
/** Of the databases, as SQL has them. */
const NAMES = `'holdpoint', 'temporal', 'temporal_visibility'`;
const NAMESPACE = 'holdpoint';
const MINUTE_MS = 60_000;
const ASKED = ['intent_created', 'intent.suspended'];
const run = promisify(execFile);

type Asked = Awaited<ReturnType<FaultStack['ask']>>;

/** Plays the scripts of compose where no container engine is, on real servers. */
describe('a backup of Holdpoint and of a Temporal server, both on PostgreSQL', function () {
  // Temporal's server is built once where it cannot be downloaded.
  this.timeout(40 * MINUTE_MS);
  let folder: string;
  let backup: string;
  let postgres: PostgresServer;
  let programs: ServerPrograms;
  let temporal: BenchServer | undefined;
  let world: FaultStack | undefined;
  let env: NodeJS.ProcessEnv;

  before(async () => {
    const log = (line: string) => void process.stderr.write(`${line}\n`);
    programs = await resolveServerPrograms({ log });
    const cli = await resolveTemporalCli({ log });
    folder = await mkdtemp(path.join(tmpdir(), 'holdpoint-backup-'));
    backup = path.join(folder, 'backup.tar');
    const bin = path.join(folder, 'bin');
    await mkdir(bin);
    await symlink(programs.sqlTool, path.join(bin, 'temporal-sql-tool'));
    await symlink(cli.path, path.join(bin, 'temporal'));
    postgres = await startPostgres();
    const { hostname, port, username } = new URL(postgres.url);
    env = {
      PATH: [bin, binaries(), process.env['PATH']].join(':'),
      HOME: folder,
      ...(await schemaVariables()),
      SQL_HOST: hostname,
      SQL_PORT: port,
      SQL_USER: username,
      PGHOST: hostname,
      PGPORT: port,
      PGUSER: username,
      TEMPORAL_NAMESPACE: NAMESPACE,
    };
    await run('createdb', ['holdpoint'], { env });
  });
  after(async () => {
    await stop();
    await postgres.stop();
    await rm(folder, { recursive: true });
  });

  /** The variables of the step that makes the databases of Temporal. */
  async function schemaVariables(): Promise<Record<string, string>> {
    const { services } = parse(await readFile(path.join(ROOT, 'deploy/compose.yaml'), 'utf8'), {
      merge: true,
    }) as Record<'services', Record<string, { environment: Record<string, string> }>>;
    return { ...services['temporal-schema']?.environment };
  }

  /** Plays a script, with a file as its input or output. */
  async function play(name: string, { from = '/dev/null', to = '/dev/null' } = {}): Promise<void> {
    const file = path.join(SCRIPTS, name);
    await run('sh', ['-c', 'exec sh "$0" <"$1" >"$2"', file, from, to], { env });
  }

  /** The variables of Holdpoint's programs. */
  const settings = () => ({
    DATABASE_URL: new URL('/holdpoint', postgres.url).href,
    TEMPORAL_ADDRESS: temporal?.address ?? '',
    TEMPORAL_NAMESPACE: NAMESPACE,
  });

  /** Starts all of it in the order of the compose file. */
  async function start(): Promise<FaultStack> {
    await play('temporal-schema.sh');
    temporal = await startTemporalServer(programs, postgres.url, folder);
    env = { ...env, TEMPORAL_ADDRESS: temporal.address };
    await play('temporal-namespace.sh');
    world = await FaultStack.start('', settings());
    return world;
  }

  async function stop(): Promise<void> {
    await world?.close();
    await temporal?.stop();
    [world, temporal] = [undefined, undefined];
  }

  async function said(sql: string): Promise<string> {
    return (await run('psql', ['-Atc', sql, 'postgres'], { env })).stdout.trim();
  }

  /** PostgreSQL ends a connection a moment after its client. */
  async function untilUnused(): Promise<void> {
    const sql = `select count(*) from pg_stat_activity
      where backend_type = 'client backend' and datname in (${NAMES})`;
    await lookUntil(async () => (await said(sql)) === '0', 'the databases are still in use');
  }

  async function answer(stack: FaultStack, { intentId, view }: Asked, value: string) {
    await stack.operator.respond(intentId, { suspension_id: view.id, value });
    assert.deepEqual(await stack.types(intentId, 3), [...ASKED, 'intent.resumed']);
  }

  it('brings open and answered questions back, and is refused while programs run or if it is cut off', async () => {
    const first = await start();
    const [open, answered] = [await first.ask(), await first.ask()];
    await answer(first, answered, 'approve');
    assert.deepEqual(await first.types(open.intentId, 2), ASKED);
    await play('backup.sh', { to: backup });

    await answer(first, open, 'deny');
    const later = await first.ask();
    const inUse = /Stop the programs that use these databases first: .*holdpoint/s;
    await assert.rejects(play('restore.sh', { from: backup }), inUse);
    const { record } = await first.operator.getSuspension(open.view.id);
    assert.equal(record.response, 'deny');

    await stop();
    await untilUnused();
    const half = path.join(folder, 'half.tar');
    await copyFile(backup, half);
    await truncate(half, 100_000);
    await assert.rejects(play('restore.sh', { from: half }), /Unexpected EOF/);
    assert.equal(await said(`select count(*) from pg_database where datname in (${NAMES})`), '3');

    await play('restore.sh', { from: backup });
    const second = await start();
    const variables = { ...isolatedEnv(process.env), ...settings() };
    const reconciled = await endOf([scriptOf('workers/reconcile-main.ts')], { env: variables });
    assert.equal(reconciled.code, 0, reconciled.out + reconciled.err);
    assert.equal((await second.operator.getSuspension(open.view.id)).state, 'pending');
    const kept = await second.operator.getSuspension(answered.view.id);
    assert.deepEqual([kept.state, kept.record.response], ['settled', 'approve']);
    await assert.rejects(second.operator.getSuspension(later.view.id), { status: 404 });
    await answer(second, open, 'approve');
    assert.deepEqual(await second.breaks(open.intentId), []);
  });
});
