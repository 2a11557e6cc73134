import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'mocha';
import { endOf } from '../support/processes.js';
import { scriptOf } from '../support/scripts.js';
import { composeFaults, dclintFaults, setIn, takenBy } from './compose.js';
import { ROOT, SECRET, VERSION, mistaken, scriptFaults, unknownIn } from './faults.js';

const DEPLOY = path.join(ROOT, 'deploy');
const COMPOSE = readFileSync(path.join(DEPLOY, 'compose.yaml'), 'utf8');
const EXAMPLE = path.join(DEPLOY, '.env.example');

describe('the compose file', function () {
  this.timeout(300_000);

  it('has no fault', async () => {
    assert.deepEqual([composeFaults(COMPOSE), await dclintFaults(COMPOSE)], [[], []]);
  });

  const MISTAKES = [
    [
      'a wrong variable',
      ['HOLDPOINT_LINK_KEYS:', 'HOLDPOINT_LINKS_KEY:'],
      /HOLDPOINT_LINKS_KEY is no setting/,
    ],
    [
      'a setting left out',
      [`      HOLDPOINT_STATE_KEYS: \${HOLDPOINT_STATE_KEYS:?}\n`, ''],
      /api lacks HOLDPOINT_STATE_KEYS/,
    ],
    [
      'a secret in the file',
      [`\${HOLDPOINT_ID_SECRETS:?}`, 'a-secret-of-the-ids'],
      /api has HOLDPOINT_ID_SECRETS in the file/,
    ],
    [
      'a default for a secret',
      ['POSTGRES_PASSWORD:?}', 'POSTGRES_PASSWORD:-postgres}'],
      /has POSTGRES_PASSWORD in the file/,
    ],
    [
      'a short grace period',
      ['stop_grace_period: 30s', 'stop_grace_period: 10s'],
      /worker has 10 s to end/,
    ],
    ['root', ['read_only: true', 'user: root\n  read_only: true'], /api runs as another user/],
    ['a root that can be written', ['  read_only: true\n', ''], /worker may write/],
    ['another probe', ['health.mjs', 'true'], /api has no probe/],
    [
      'activate before the workers are there',
      [
        '      worker:\n        condition: service_healthy',
        '      migrate:\n        condition: service_completed_successfully',
      ],
      /activate does not wait for worker/,
    ],
    [
      'workers before the migration',
      ['      migrate:\n        condition: service_completed_successfully\n', ''],
      /worker does not wait for migrate/,
    ],
    ['an open port', ['127.0.0.1:4000:4000', '0.0.0.0:4000:4000'], /api opens/],
    [
      'a secret of the API in the worker',
      [
        'x-shared: &shared\n',
        `x-shared: &shared\n  HOLDPOINT_ID_SECRETS: \${HOLDPOINT_ID_SECRETS:?}\n`,
      ],
      /worker has HOLDPOINT_ID_SECRETS, which it does not need/,
    ],
    [
      'a setting of other programs',
      ['HOLDPOINT_TRUSTED_PROXIES:', 'HOLDPOINT_DATA_DIR: /data\n      HOLDPOINT_TRUSTED_PROXIES:'],
      /api has HOLDPOINT_DATA_DIR, which it does not need/,
    ],
    [
      'another secret in the API than in the worker',
      [
        '      # Only the proxy and this machine reach it.',
        `      HOLDPOINT_LINK_KEYS: \${OTHER_KEYS:?}\n      # Only the proxy and this machine reach it.`,
      ],
      /HOLDPOINT_LINK_KEYS is not the same for worker and api/,
    ],
    [
      'another namespace for activate',
      [
        `'600']\n    environment:\n      <<: *temporal`,
        `'600']\n    environment:\n      <<: *temporal\n      TEMPORAL_NAMESPACE: default`,
      ],
      /TEMPORAL_NAMESPACE is not the same for worker and activate/,
    ],
    [
      'all rights',
      ['read_only: true', 'read_only: true\n  privileged: true'],
      /api may do everything/,
    ],
    ['capabilities', ['  cap_drop:\n    - ALL\n', ''], /worker keeps capabilities/],
    ['new privileges', ['no-new-privileges:true', 'label:disable'], /worker may gain privileges/],
    [
      'a folder that can be written',
      ['./config:/etc/holdpoint:ro', './config:/etc/holdpoint'],
      /api may write to/,
    ],
    [
      'a health check that is switched off',
      [`test: ['CMD', 'health.mjs', '/ready']`, 'disable: true'],
      /worker has no probe/,
    ],
    [
      'a database without a health check',
      [
        /    healthcheck:\n      test: \['CMD', 'pg_isready'.*\n.*\n.*\n/.exec(COMPOSE)?.[0] ?? '',
        '',
      ],
      /postgresql is awaited, and has no health check/,
    ],
    [
      'a migration without end',
      ['restart: on-failure:5\n  healthcheck', 'restart: always\n  healthcheck'],
      /migrate is never done/,
    ],
    [
      'a worker that stays down',
      ['restart: unless-stopped\n  stop_', 'restart: on-failure:3\n  stop_'],
      /worker stays down/,
    ],
    [
      'a proxy before the API',
      [
        '      api:\n        condition: service_healthy',
        '      api:\n        condition: service_started',
      ],
      /proxy does not wait for api/,
    ],
    [
      'a wrong variable of Temporal',
      ['POSTGRES_SEEDS', 'POSTGRES_SEED'],
      /temporal lacks POSTGRES_SEEDS/,
    ],
    [
      'a few history shards',
      ['NUM_HISTORY_SHARDS', 'HISTORY_SHARDS'],
      /temporal lacks NUM_HISTORY_SHARDS/,
    ],
    [
      'a host that nobody has',
      ['@postgresql:5432', '@postgres:5432'],
      /migrate has a DATABASE_URL of no service/,
    ],
    [
      'two versions of Temporal',
      ['admin-tools:1.30', 'admin-tools:1.29'],
      /Temporal has the versions/,
    ],
    [
      'a database that goes with its container',
      ['      - postgresql:/var/lib/postgresql/data\n', ''],
      /postgresql loses/,
    ],
  ] as const;
  for (const [what, change, fault] of MISTAKES) {
    it(`is refused with ${what}`, () => {
      const faults = composeFaults(mistaken(COMPOSE, change));
      assert.ok(
        faults.some((line) => fault.test(line)),
        faults.join('\n'),
      );
    });
  }

  const LINTED = [
    ['a port of all networks', ['127.0.0.1:8080:8080', '8080:8080'], /no-unbound-port-interfaces/],
    [
      'an image without a version',
      ['postgres:17.6', 'postgres'],
      /service-image-require-explicit-tag/,
    ],
    ['a key that compose does not know', ['    profiles:', '    profile:'], /invalid-schema/],
  ] as const;
  for (const [what, change, fault] of LINTED) {
    it(`is refused by dclint with ${what}`, async () => {
      assert.match((await dclintFaults(mistaken(COMPOSE, change))).join(), fault);
    });
  }

  it('is refused with another version', () => {
    const faults = composeFaults(mistaken(COMPOSE, ['holdpoint:0.', 'holdpoint:9.']));
    assert.ok(faults.includes(`worker is not of version ${VERSION}`), faults.join('\n'));
  });

  it('has a smaller one beside it, to evaluate, without a fault', async () => {
    const text = readFileSync(path.join(DEPLOY, 'compose.evaluate.yaml'), 'utf8');
    assert.deepEqual([await dclintFaults(text), unknownIn(text)], [[], []]);
    assert.ok(text.includes(`holdpoint-evaluate:${VERSION}}`));
  });

  it('uses scripts that are there, and without a fault', async () => {
    const folder = path.join(DEPLOY, 'compose');
    const scripts = readdirSync(folder).filter((name) => name.endsWith('.sh'));
    const named = [...COMPOSE.matchAll(/\/deploy\/([\w-]+\.sh)/g)].map(([, name = '']) => name);
    assert.deepEqual(scripts.sort(), ['backup.sh', 'restore.sh', ...named].sort());
    for (const name of scripts) {
      const script = readFileSync(path.join(folder, name), 'utf8');
      assert.equal(await scriptFaults(script), '', name);
    }
  });
});

describe('the example of its variables', () => {
  it('has all that the compose file takes, and nothing else', async () => {
    const optional = ['IMAGE'];
    assert.deepEqual(
      takenBy(COMPOSE).filter((name) => !optional.includes(name)),
      await setIn(EXAMPLE),
    );
    assert.deepEqual(unknownIn(readFileSync(EXAMPLE, 'utf8')), []);
  });

  it('has no secret itself', () => {
    const filled = (text: string) =>
      [...text.matchAll(/^(\w+)=./gm)]
        .map(([, name = '']) => name)
        .filter((name) => SECRET.test(name));
    const example = readFileSync(EXAMPLE, 'utf8');
    assert.deepEqual(filled(example), []);
    assert.deepEqual(filled(mistaken(example, ['PASSWORD=', 'PASSWORD=holdpoint'])), [
      'POSTGRES_PASSWORD',
    ]);
  });

  it('has the secrets that holdpoint secrets prints, and an address', async () => {
    const { out } = await endOf([scriptOf('service/secrets-main.ts')]);
    const printed = out.split('\n').map((line) => line.split('=', 1).join());
    assert.deepEqual(
      [...printed.filter((name) => name !== ''), 'PUBLIC_URL'].sort(),
      await setIn(EXAMPLE),
    );
  });
});
