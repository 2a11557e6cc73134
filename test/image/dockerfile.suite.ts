import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'mocha';
import { withFolder } from '../support/temp-folder.js';
import { copyContext } from './build-context.js';
import { ROOT, imageFaults, mistaken, scriptFaults, unknownIn } from './faults.js';

const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');
const DOCKERFILE = read('Dockerfile');
const STEPS = readdirSync(path.join(ROOT, 'deploy/image')).map((name) => `deploy/image/${name}`);
const SCRIPTS = [...STEPS.filter((file) => file.endsWith('.sh')), 'test/image/contained.sh'];

describe('the Dockerfile', function () {
  this.timeout(300_000);

  it('has no fault', async () => {
    assert.deepEqual(await imageFaults(DOCKERFILE), []);
  });

  it('names steps that are there', () => {
    const named = [...DOCKERFILE.matchAll(/deploy\/image\/[\w.-]+\.\w+/g)].map(([file]) => file);
    assert.ok(named.length >= 4, named.join());
    assert.deepEqual(
      named.filter((file) => !existsSync(path.join(ROOT, file))),
      [],
    );
  });

  const MISTAKES = [
    ['no user', ['USER 1000:1000\n', ''], /production: runs as ""/],
    ['root', ['USER 1000:1000', 'USER 0:0'], /production: runs as "0:0"/],
    ['a user by name', ['USER 1000:1000', 'USER node'], /DL3066/],
    [
      'no health check',
      [/^HEALTHCHECK.*\n/m.exec(DOCKERFILE)?.[0] ?? '', ''],
      /has no health check/,
    ],
    ['another entry point', ['["holdpoint"]', '["node"]'], /does not start holdpoint/],
    ['a shell in front', ['ENTRYPOINT ["holdpoint"]', 'ENTRYPOINT holdpoint'], /DL3025/],
    ['a base without glibc', ['bookworm-slim', 'alpine'], /based on node:\d+-alpine/],
    ['another Node', ['node:24', 'node:20'], /based on node:20/],
    ['a base without a version', ['node:24-bookworm-slim', 'node'], /DL3006/],
    [
      'a wrong variable',
      ['HOLDPOINT_WORKER_METRICS', 'HOLDPOINT_WORKER_METRIC'],
      /HOLDPOINT_WORKER_METRIC is no setting/,
    ],
    [
      'a secret',
      ['ENV HOST=', 'ENV HOLDPOINT_ID_SECRETS=abc HOST='],
      /brings HOLDPOINT_ID_SECRETS along/,
    ],
    ['no certificates', ['SSL_CERT_FILE', 'CERT_FILE'], /production: trusts no authority/],
    ['another version', ['version="0.', 'version="9.'], /is not called/],
    ['a missing label', ['org.opencontainers.image.licenses="MIT" ', ''], /DL3049/],
    ['a copy that unpacks', ['COPY . .', 'ADD . .'], /DL3020/],
    ['a relative folder', ['WORKDIR /src', 'WORKDIR src'], /DL3000/],
  ] as const;
  for (const [what, change, fault] of MISTAKES) {
    it(`is refused with ${what}`, async () => {
      const faults = await imageFaults(mistaken(DOCKERFILE, change));
      assert.ok(
        faults.some((line) => fault.test(line)),
        faults.join('\n'),
      );
    });
  }
});

describe('the steps of the image', function () {
  this.timeout(300_000);

  for (const file of SCRIPTS) {
    it(`${file} has no fault`, async () => {
      assert.equal(await scriptFaults(read(file)), '');
    });
  }

  it('name settings that there are', () => {
    for (const file of STEPS) assert.deepEqual(unknownIn(read(file)), [], file);
    const health = mistaken(read('deploy/image/health.mjs'), ['WORKER_METRICS', 'WORKER_PAGES']);
    assert.match(unknownIn(health).join(), /HOLDPOINT_WORKER_PAGES is no setting/);
  });

  it('are refused with a name that is not quoted', async () => {
    const script = mistaken(read('deploy/image/pack.sh'), ['mkdir -p "$1"', 'mkdir -p $1']);
    assert.match(await scriptFaults(script), /SC2086/);
  });
});

describe('what a builder gets', () => {
  let folder = '';
  withFolder((made) => (folder = made));
  const IGNORED = read('.dockerignore');
  const FILES = ['.env', 'client/.env', '.git/config', 'web/node_modules/a.js', 'api/a.ts'];

  /** The files that arrive of a folder with those. */
  async function arriving(ignored: string): Promise<readonly string[]> {
    const [from, to] = [path.join(folder, 'from'), path.join(folder, 'to')];
    for (const file of FILES) {
      await mkdir(path.dirname(path.join(from, file)), { recursive: true });
      await writeFile(path.join(from, file), file);
    }
    await copyContext(from, to, ignored);
    const found = await readdir(to, { recursive: true, withFileTypes: true });
    return found
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(to, path.join(entry.parentPath, entry.name)));
  }

  it('has neither secrets nor what it installs itself', async () => {
    assert.deepEqual(await arriving(IGNORED), ['api/a.ts']);
  });

  it('would have secrets if they were not named', async () => {
    const files = await arriving(mistaken(IGNORED, ['**/.env\n', '']));
    assert.deepEqual([...files].sort(), ['.env', 'api/a.ts', 'client/.env']);
  });

  it('has what the package needs', async () => {
    const ignored = IGNORED.trim().split('\n');
    const { files } = JSON.parse(await readFile(path.join(ROOT, 'package.json'), 'utf8')) as {
      readonly files: readonly string[];
    };
    assert.ok(files.includes('docs/*.md') && !ignored.includes('docs'));
  });
});
