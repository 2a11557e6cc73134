import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { ROOT, packed, run, type PackageName } from './packed.js';

const BIN = path.join(ROOT, 'node_modules/.bin');
const NAMES: readonly PackageName[] = ['holdpoint', 'holdpoint-client'];

/** What a program wrote, and how it ended. */
async function outcome(program: string, args: readonly string[]) {
  try {
    const { stdout } = await run(program, args, { cwd: ROOT });
    return { ok: true, output: stdout };
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    return { ok: false, output: `${stdout}${stderr}` };
  }
}

describe('publishing', function () {
  this.timeout(600_000);
  let tarballs: Record<PackageName, string>;
  before(async () => {
    tarballs = {
      holdpoint: await packed('holdpoint'),
      'holdpoint-client': await packed('holdpoint-client'),
    };
  });

  for (const name of NAMES) {
    describe(name, () => {
      it('passes publint', async () => {
        const { ok, output } = await outcome(path.join(BIN, 'publint'), [
          '--strict',
          tarballs[name],
        ]);
        assert.ok(ok, output);
        assert.match(output, /All good/);
      });

      it('has types that are there and fit its modules', async () => {
        const args = [tarballs[name], '--profile', 'esm-only'];
        const { ok, output } = await outcome(path.join(BIN, 'attw'), args);
        assert.ok(ok, output);
      });

      it('would be published', async () => {
        // Nothing listens there: a dry run asks no server.
        const args = ['publish', tarballs[name], '--dry-run', '--json'];
        const nowhere = ['--registry', 'http://127.0.0.1:1', '--fetch-retries', '0'];
        const { ok, output } = await outcome('npm', [...args, ...nowhere]);
        assert.ok(ok, output);
        assert.match(output, /"name": "holdpoint/);
      });
    });
  }

  it('has one version and one licence for both packages', async () => {
    const read = async (file: string): Promise<Record<string, unknown>> =>
      JSON.parse(await readFile(path.join(ROOT, file), 'utf8')) as Record<string, unknown>;
    const [main, client] = await Promise.all([read('package.json'), read('client/package.json')]);
    assert.equal(client['version'], main['version']);
    assert.equal(client['license'], main['license']);
    assert.deepEqual(client['engines'], main['engines']);
  });

  it('is as small as the pages say', async () => {
    const { stdout } = await run('npm', ['pack', tarballs.holdpoint, '--dry-run', '--json']);
    const [{ unpackedSize }] = JSON.parse(stdout) as [{ unpackedSize: number }];
    const page = await readFile(path.join(ROOT, 'docs/production.md'), 'utf8');
    const [, said = ''] = /^\| `holdpoint` +\| +(\d+) \|/m.exec(page) ?? [];
    assert.ok(Math.abs(unpackedSize / 1e6 - Number(said)) < 1.5, `${unpackedSize} bytes`);
  });

  it('ships no source map, no test and no example', async () => {
    for (const name of NAMES) {
      const { stdout } = await run('tar', ['-tzf', tarballs[name]]);
      const files = stdout.trim().split('\n');
      assert.ok(files.includes('package/LICENSE') && files.includes('package/README.md'));
      // The examples of the OpenAPI document are shown by the API.
      const shipped = files.filter(
        (file) => !file.startsWith('package/dist/api/openapi/examples/'),
      );
      assert.deepEqual(
        shipped.filter((file) => /\.map$|\/(test|examples|bench)\//.test(file)),
        [],
      );
    }
  });
});
