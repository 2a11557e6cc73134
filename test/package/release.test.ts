import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { ROOT } from './packed.js';

const run = promisify(execFile);
const CHART = 'deploy/helm/holdpoint/Chart.yaml';
const FILES = [
  '.ci/release',
  'package.json',
  'client/package.json',
  'python/pyproject.toml',
  CHART,
];
const MANIFEST = /("version": |^version = )"[^"]+"/m;
const IN_CHART = /^(version|appVersion): .+$/gm;

interface Said {
  readonly code: number;
  readonly text: string;
}

describe('npm run release', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'holdpoint-release-'));
    for (const file of FILES) {
      await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
      await cp(path.join(ROOT, file), path.join(folder, file));
      if (file !== '.ci/release') await edit(file, (text) => text.replace(MANIFEST, '$1"1.2.3"'));
      if (file === CHART) await edit(file, (text) => text.replaceAll(IN_CHART, '$1: 1.2.3'));
    }
    await writeFile(path.join(folder, 'CHANGELOG.md'), '# Changelog\n\n## [1.2.3] - 2026-12-01\n');
    await git('init', '--quiet', '--initial-branch', 'main');
    await commit();
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const git = (...args: string[]) =>
    run('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], { cwd: folder });

  async function commit(): Promise<void> {
    await git('add', '--all');
    await git('commit', '--quiet', '--allow-empty', '--message', 'a change');
  }

  async function edit(file: string, change: (text: string) => string): Promise<void> {
    const whole = path.join(folder, file);
    await writeFile(whole, change(await readFile(whole, 'utf8')));
  }

  async function check(): Promise<Said> {
    try {
      const { stdout } = await run('bash', ['.ci/release', '--check'], { cwd: folder });
      return { code: 0, text: stdout };
    } catch (error) {
      const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
      return { code, text: `${stdout}${stderr}` };
    }
  }

  it('finds nothing where all is ready, also at its tag', async () => {
    await git('tag', 'v1.2.3');
    const { code, text } = await check();
    assert.equal(code, 0, text);
    assert.doesNotMatch(text, /^- /m);
    assert.match(text, /Nothing was published\.\n$/);
  });

  const FAULTS: Readonly<Record<string, readonly [RegExp, () => Promise<unknown>]>> = {
    'another version of the client': [
      /client\/package\.json has version 9\.9\.9, holdpoint has 1\.2\.3/,
      () => edit('client/package.json', (text) => text.replace(MANIFEST, '$1"9.9.9"')),
    ],
    'another version of the Python package': [
      /python\/pyproject\.toml has version 9\.9\.9/,
      () => edit('python/pyproject.toml', (text) => text.replace(MANIFEST, '$1"9.9.9"')),
    ],
    'another version of the chart': [
      /Chart\.yaml \(version\) has version 9\.9\.9, holdpoint has 1\.2\.3/,
      () => edit(CHART, (text) => text.replace('version: 1.2.3', 'version: 9.9.9')),
    ],
    'another version of the image in the chart': [
      /Chart\.yaml \(appVersion\) has version 9\.9\.9/,
      () => edit(CHART, (text) => text.replace('appVersion: 1.2.3', 'appVersion: 9.9.9')),
    ],
    'a changelog without the version': [
      /CHANGELOG\.md has no section of 1\.2\.3/,
      () => edit('CHANGELOG.md', (text) => text.replace('1.2.3', '1.2.2')),
    ],
    'a tag at another commit': [
      /The tag v1\.2\.3 is at another commit/,
      async () => {
        await git('tag', 'v1.2.3');
        await commit();
      },
    ],
  };
  for (const [fault, [says, plant]] of Object.entries(FAULTS)) {
    it(`refuses ${fault}`, async () => {
      await plant();
      const { code, text } = await check();
      assert.equal(code, 1, text);
      assert.match(text, says);
    });
  }

  it('names what is still to be done in a rehearsal, and refuses it otherwise', async () => {
    await edit('CHANGELOG.md', (text) => text.replace('2026-12-01', 'unreleased'));
    const { code, text } = await check();
    assert.equal(code, 0, text);
    assert.match(text, /^- The section of 1\.2\.3 in CHANGELOG\.md needs its date\.$/m);
    assert.match(text, /^- Commit everything\.$/m);
    await assert.rejects(run('bash', ['.ci/release'], { cwd: folder }), {
      code: 1,
      stderr: 'Not released: The section of 1.2.3 in CHANGELOG.md needs its date.\n',
    });
  });

  it('knows no other argument', async () => {
    await assert.rejects(run('bash', ['.ci/release', '--publish'], { cwd: folder }), { code: 2 });
  });
});
