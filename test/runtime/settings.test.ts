import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { loadConfig, wantsStackTraces, wantsVersioning } from '../../runtime/config.js';
import { developmentKeys, hashedKey, loadKeys } from '../../runtime/api-keys.js';
import { StartupError } from '../../runtime/program.js';
import { serverConfigSchema } from '../../contracts/server/config.js';
import { withFolder } from '../support/temp-folder.js';

const KEY = 'sk-0123456789abcdef';
const entry = { key: KEY, principal: 'alice', roles: ['operator'] };
const groups = (count: number, characters = 4) =>
  Array.from({ length: count }, (_, i) => `${i}`.padStart(characters, 'g'));

function startupMessage(act: () => unknown): string {
  let message: string | undefined;
  assert.throws(act, (error) => {
    assert.ok(error instanceof StartupError);
    message = error.message;
    return true;
  });
  assert.ok(message !== undefined);
  assert.doesNotMatch(message, /\n/);
  return message;
}

const webhook = (fields: string) =>
  `notifications: {default_channel: x, channels: {x: {type: webhook, ${fields}}}}`;

describe('the configuration file', () => {
  let folder = '';
  withFolder((made) => (folder = made));
  const write = (text: string, name = 'openintent.yaml') => {
    writeFileSync(path.join(folder, name), text);
  };
  const POLICY = 'suspension:\n  default_retry_policy:\n    max_attempts: 3\n';

  it('may be absent where nobody named it', () => {
    assert.deepEqual(loadConfig({}, folder), serverConfigSchema.parse({}));
    assert.equal(loadConfig({}, folder).suspension.default_retry_policy, null);
  });

  it('is openintent.yaml of the working folder by default [R26-69]', () => {
    write(POLICY);
    assert.deepEqual(loadConfig({}, folder).suspension.default_retry_policy, { max_attempts: 3 });
  });

  it('is where HOLDPOINT_CONFIG says', () => {
    write(POLICY, 'other.yaml');
    const config = loadConfig({ HOLDPOINT_CONFIG: 'other.yaml' }, folder);
    assert.deepEqual(config.suspension.default_retry_policy, { max_attempts: 3 });
  });

  it('says after how many whole days retention removes what has ended; never by default', () => {
    assert.deepEqual(loadConfig({}, folder).retention, {});
    write('retention: {settled_days: 365}\n');
    assert.equal(loadConfig({}, folder).retention.settled_days, 365);
    for (const days of ['0', '1.5', '-3', 'soon']) {
      write(`retention: {settled_days: ${days}}\n`);
      assert.match(
        startupMessage(() => loadConfig({}, folder)),
        /retention\.settled_days/,
      );
    }
  });

  it('says how much each process takes on at once', () => {
    assert.deepEqual(loadConfig({}, folder).limits.writes, {
      at_once: 32,
      longest_wait_seconds: 25,
      waiting: 2_000,
    });
    write('limits: {writes: {at_once: 64}}\nworker: {feed: {at_once: 100}}\n');
    const { limits, worker } = loadConfig({}, folder);
    assert.deepEqual([limits.writes.at_once, limits.writes.waiting], [64, 2_000]);
    assert.deepEqual(worker.feed, { at_once: 100, pollers: 2 });
    assert.equal(worker.cached_workflows, 1_000);
  });

  it('may be empty', () => {
    write('# nothing yet\n');
    assert.deepEqual(loadConfig({}, folder), serverConfigSchema.parse({}));
  });

  it('must be there where it is named', () => {
    const load = () => loadConfig({ HOLDPOINT_CONFIG: 'none.yaml' }, folder);
    assert.match(startupMessage(load), /none\.yaml: there is no such file/);
  });

  const REFUSED = [
    [
      'limits: {writes: {at_once: 0}}',
      /limits\.writes\.at_once is not accepted: it must be a number of at least 1/,
    ],
    [
      'limits: {writes: {longest_wait_seconds: 121}}',
      /limits\.writes\.longest_wait_seconds is not accepted: it must be a number of at most 120/,
    ],
    ['limits: {writes: {queue: 1}}', /limits\.writes\.queue is not known here/],
    [
      'worker: {cached_workflows: 1}',
      /worker\.cached_workflows is not accepted: it must be a number of at least 2/,
    ],
    [
      'worker: {workflow_tasks: {pollers: 1}}',
      /worker\.workflow_tasks\.pollers is not accepted: it must be a number of at least 2/,
    ],
    [
      'worker: {workflow_tasks: {pollers: {least: 1, most: 9}}}',
      /worker\.workflow_tasks\.pollers\.least is not accepted: it must be a number of at least 2/,
    ],
    [
      'worker: {feed: {pollers: {least: 9, most: 8}}}',
      /worker\.feed\.pollers\.least: least must not be more than most/,
    ],
    [
      'worker: {resources: {cpu: 80, memory: 0.8}}',
      /worker\.resources\.cpu is not accepted: it must be a number of at most 0\.95/,
    ],
    ['suspension: {a: 1}', /openintent\.yaml: line 1: suspension\.a is not known here/],
    [
      'suspension: {default_retry_policy: {max_attempts: 0}}',
      /suspension\.default_retry_policy\.max_attempts is not accepted: it must be a number of at least 1/,
    ],
    ['suspension: [', /openintent\.yaml: not YAML: /],
    ['- a\n- b', /The input is not accepted: it must be an object/],
    [
      'notifications: {default_channel: slack}',
      /notifications\.default_channel is not accepted: .*one of the channels/,
    ],
    [
      'notifications: {channels: {x: {type: fax}}}',
      /notifications\.channels\.x\.type .*: it must be one of: console, none, webhook, email, slack\.$/,
    ],
    [webhook('url: "http://example.com", secrets: [$A]'), /\.x\.url .* an https:\/\/ URL, or/],
    [webhook('url: "example.com", secrets: [$A]'), /\.x\.url is not accepted: it must be an https/],
    [webhook('url: "https://example.com", secrets: []'), /\.x\.secrets .* at least 1 entry/],
    [
      webhook('url: "https://example.com", secrets: [$A, hunter2]'),
      /\.x\.secrets\[1\] is not accepted: it must be \$NAME of an environment variable, or "whsec_"/,
    ],
    [
      webhook('url: "https://example.com", secrets: [$A], timeout_seconds: 60'),
      /\.x\.timeout_seconds is not accepted: it must be a number of at most 20/,
    ],
  ] as const;
  for (const [text, message] of REFUSED) {
    it(`refuses ${JSON.stringify(text)} in one line`, () => {
      write(text);
      assert.match(
        startupMessage(() => loadConfig({}, folder)),
        message,
      );
    });
  }
});

describe('the API keys', () => {
  const load = (text: string, isLoopback = true) =>
    loadKeys({ HOLDPOINT_API_KEYS: text }, '/', isLoopback)?.keys;

  it('are read from the environment', () => {
    assert.deepEqual(load(JSON.stringify([entry])), [entry]);
  });

  it('are left to the caller where there are none', () => {
    assert.deepEqual([loadKeys({}, '/', true), load(' ')], [undefined, undefined]);
  });

  const REFUSED: readonly (readonly [content: unknown, message: RegExp])[] = [
    [[], /a list of at least 1 entry/],
    [{ [KEY]: 'alice' }, /must be a list/],
    [[{ ...entry, roles: ['root'] }], /\[0\]\.roles\[0\] .*agent, operator, admin/],
    [[{ ...entry, principal: 'holdpoint' }], /\[0\]\.principal .*the server does not give itself/],
    [[{ ...entry, principal: 'temporal' }], /the server does not give itself/],
    [[{ ...entry, roles: ['system'] }], /one of: agent, operator, admin, auditor/],
    [[{ key: KEY, roles: ['agent'] }], /\[0\]\.principal is required/],
    [[{ ...entry, [`${KEY}x`]: 1 }], /unknown property/],
    [
      [{ ...entry, roles: Array.from({ length: 6 }, () => 'agent') }],
      /\[0\]\.roles .*at most 5 entries/,
    ],
    [[{ ...entry, groups: groups(201) }], /\[0\]\.groups .*at most 200 entries/],
    [[{ ...entry, groups: ['x'.repeat(201)] }], /\[0\]\.groups\[0\] .*at most 200 characters/],
    [
      [{ ...entry, groups: groups(200, 100) }],
      /\[0\]\.groups .*at most 200 groups of at most 200 characters, of 16384 bytes together/,
    ],
    [[{ ...entry, key: 'short' }], /\[0\]\.key .* at least 16 characters/],
    [[{ ...entry, key: `sha256:${KEY}` }], /\[0\]\.key .*"sha256:" and 64 hexadecimal digits/],
    [[entry, { ...entry, key: hashedKey(KEY) }], /entries 0 and 1 have the same key/],
    [[{ ...entry, expires_at: 'tomorrow' }], /\[0\]\.expires_at/],
    [[entry, { ...entry, principal: 'bob' }], /entries 0 and 1 have the same key/],
    [[{ ...entry, key: `${KEY} ${KEY}` }], /\[0\]\.key must be ASCII/],
  ];
  for (const [content, expected] of REFUSED) {
    it(`are refused where ${expected.source} applies`, () => {
      const message = startupMessage(() => load(JSON.stringify(content)));
      assert.match(message, expected);
      assert.match(message, /^HOLDPOINT_API_KEYS/);
      assert.ok(!message.includes(KEY) && !message.includes('short'));
    });
  }

  it('are refused without a quote where they are no JSON', () => {
    const message = startupMessage(() => load(`[{"key": "${KEY}"`));
    assert.ok(!message.includes(KEY));
  });

  it('are refused in clear text where others reach the API, with the way to a digest', () => {
    const message = startupMessage(() => load(JSON.stringify([entry]), false));
    assert.match(message, /\[0\]\.key is in clear text.*printf %s "\$KEY" \| holdpoint hash-key$/);
    assert.ok(!message.includes(KEY));
    const hashed = [{ ...entry, key: hashedKey(KEY), label: 'her laptop', space: 'eu' }];
    assert.deepEqual(load(JSON.stringify(hashed), false), hashed);
  });

  it('are read from a file, and from one place only', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'holdpoint-keys-'));
    const file = path.join(folder, 'keys.json');
    const named = { HOLDPOINT_API_KEYS_FILE: 'keys.json' };
    assert.match(
      startupMessage(() => loadKeys(named, folder, true)),
      /keys\.json cannot be read/,
    );
    writeFileSync(file, JSON.stringify([entry]));
    assert.deepEqual(loadKeys(named, folder, true), { keys: [entry], file });
    const both = { ...named, HOLDPOINT_API_KEYS: '[]' };
    assert.match(
      startupMessage(() => loadKeys(both, folder, true)),
      /not both/,
    );
    rmSync(folder, { recursive: true });
  });

  it('are random ones of each role for development', () => {
    const keys = developmentKeys();
    assert.deepEqual(
      keys.map(({ principal, roles }) => [principal, roles]),
      [
        ['dev-agent', ['agent']],
        ['dev-operator', ['operator']],
        ['dev-admin', ['admin']],
        ['dev-auditor', ['auditor']],
        ['dev-user', ['user']],
        ['dev-approver', ['operator']],
      ],
    );
    const all = [...keys, ...developmentKeys()].map(({ key }) => key);
    assert.equal(new Set(all).size, 12);
    assert.deepEqual(load(JSON.stringify(keys)), keys);
  });
});

describe('the setting for stack traces', () => {
  it('is off unless it says otherwise', () => {
    for (const [value, wanted] of [
      [undefined, false],
      ['', false],
      ['false', false],
      ['true', true],
    ] as const) {
      assert.equal(wantsStackTraces({ HOLDPOINT_STACK_TRACES: value }), wanted);
    }
  });

  it('is refused where it is neither true nor false', () => {
    const message = startupMessage(() => wantsStackTraces({ HOLDPOINT_STACK_TRACES: 'yes' }));
    assert.equal(message, 'HOLDPOINT_STACK_TRACES must be true or false, not "yes".');
  });
});

describe('the setting for versioned workers', () => {
  it('is on unless it says otherwise', () => {
    for (const [value, wanted] of [
      [undefined, true],
      ['', true],
      ['false', false],
      ['true', true],
    ] as const) {
      assert.equal(wantsVersioning({ HOLDPOINT_WORKER_VERSIONING: value }), wanted);
    }
  });

  it('is refused where it is neither true nor false', () => {
    const message = startupMessage(() => wantsVersioning({ HOLDPOINT_WORKER_VERSIONING: 'off' }));
    assert.equal(message, 'HOLDPOINT_WORKER_VERSIONING must be true or false, not "off".');
  });
});
