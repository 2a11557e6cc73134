import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import { describe, it } from 'mocha';
import { serverConfigSchema } from '../../contracts/server/config.js';
import { unknownVariables } from '../../runtime/unknown-variables.js';

const ROOT = new URL('../../', import.meta.url);
/** Where the programs of people and of the service are. */
const FOLDERS = ['api', 'cli', 'mcp', 'runtime', 'service', 'store', 'temporal-config', 'workers'];
const NONE = serverConfigSchema.parse({});

const warned = (...names: readonly string[]) =>
  unknownVariables(Object.fromEntries(names.map((name) => [name, 'value-of-it'])), NONE);

/** The variables that the source of these programs names. */
async function readVariables(): Promise<readonly string[]> {
  const found = new Set<string>();
  for (const folder of FOLDERS) {
    const files = await readdir(new URL(`${folder}/`, ROOT), { recursive: true });
    for (const file of files.filter((name) => name.endsWith('.ts'))) {
      const text = await readFile(new URL(`${folder}/${file}`, ROOT), 'utf8');
      for (const [name] of text.matchAll(/\bHOLDPOINT_[A-Z_]*[A-Z]\b/g)) found.add(name);
    }
  }
  return [...found];
}

describe('a variable that looks like a setting', () => {
  for (const [name, meant] of [
    ['HOLDPOINT_PORT', 'PORT'],
    ['HOLDPOINT_DATABASE_URL', 'DATABASE_URL'],
    ['HOLDPOINT_API_KEYES', 'HOLDPOINT_API_KEYS'],
    ['HOLDPOINT_PUBLICURL', 'HOLDPOINT_PUBLIC_URL'],
    ['HOLDPOINT_TEMPORAL_ADRESS', 'TEMPORAL_ADDRESS'],
  ] as const) {
    it(`has no effect: ${name}, where ${meant} is meant`, () => {
      assert.deepEqual(warned(name), [
        `${name} is no setting of Holdpoint, and has no effect. Did you mean ${meant}?`,
      ]);
    });
  }

  it('has no effect, and is like no other', () => {
    assert.deepEqual(warned('HOLDPOINT_FAVOURITE_COLOUR_OF_THE_HOUSE'), [
      'HOLDPOINT_FAVOURITE_COLOUR_OF_THE_HOUSE is no setting of Holdpoint, and has no effect.',
    ]);
  });

  it('is told of in the order of names, without its value', () => {
    const all = warned('HOLDPOINT_PORT', 'HOLDPOINT_HOST');
    assert.deepEqual(
      all.map((line) => line.split(' ')[0]),
      ['HOLDPOINT_HOST', 'HOLDPOINT_PORT'],
    );
    assert.doesNotMatch(all.join(), /value-of-it/);
  });

  it('is one if the programs read it, as the documents say', async () => {
    const read = await readVariables();
    assert.ok(read.length > 18);
    assert.deepEqual(warned(...read), []);
    const page = await readFile(new URL('docs/configure.md', ROOT), 'utf8');
    const rows = page.split('\n').filter((line) => line.startsWith('| `'));
    const documented = rows.flatMap((row) => row.split('|')[1]?.match(/HOLDPOINT_\w+/g) ?? []);
    assert.deepEqual(warned(...documented), []);
    assert.deepEqual(
      read.filter((name) => !documented.includes(name)),
      [],
    );
  });

  it('is none of those of tests, of other programs, or that the configuration names', () => {
    const tests = ['HOLDPOINT_TEST_NOTES', 'HOLDPOINT_CHAOS_SEED', 'HOLDPOINT_RUN_LOGS'];
    assert.deepEqual(warned(...tests, 'PORT', 'HOLDPOINTS', 'PATH'), []);
    const channels = {
      ops: { type: 'webhook', url: 'https://ops.example', secrets: ['$HOLDPOINT_OPS_SECRET'] },
    };
    const config = serverConfigSchema.parse({
      notifications: { default_channel: 'ops', channels },
    });
    const env = { HOLDPOINT_OPS_SECRET: 'x', HOLDPOINT_OPS_SECRT: 'x' };
    assert.deepEqual(unknownVariables(env, config), [
      'HOLDPOINT_OPS_SECRT is no setting of Holdpoint, and has no effect.',
    ]);
  });

  it('is none that Kubernetes sets for a Service of our name', () => {
    const ofService = {
      HOLDPOINT_PORT: 'tcp://10.96.0.7:80',
      HOLDPOINT_PORT_80_TCP: 'tcp://10.96.0.7:80',
      HOLDPOINT_PORT_80_TCP_ADDR: '10.96.0.7',
      HOLDPOINT_PORT_80_TCP_PORT: '80',
      HOLDPOINT_PORT_80_TCP_PROTO: 'tcp',
      HOLDPOINT_SERVICE_HOST: '10.96.0.7',
      HOLDPOINT_SERVICE_PORT: '80',
      HOLDPOINT_SERVICE_PORT_HTTP: '80',
      HOLDPOINT_DNS_PORT: 'udp://10.96.0.8:53',
      HOLDPOINT_DNS_PORT_53_UDP: 'udp://10.96.0.8:53',
    };
    assert.deepEqual(unknownVariables(ofService, NONE), []);
    const own = {
      HOLDPOINT_PORT: '4000',
      HOLDPOINT_HOST: 'tcp://10.96.0.7',
      HOLDPOINT_PORT_80: '',
    };
    assert.deepEqual(
      unknownVariables(own, NONE).map((line) => line.split(' ')[0]),
      Object.keys(own).sort(),
    );
  });
});
