import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'mocha';
import { ROOT } from './faults.js';
import { ELSEWHERE, NEEDED, OPTIONAL, isRead, settingFaults } from './settings.js';

const LISTED = [...new Set([...Object.values(NEEDED).flat(2), ...OPTIONAL, ...ELSEWHERE])].sort();

describe('the settings of an installation', () => {
  it('are those of the page, each needed, optional or of no use in production', () => {
    const page = readFileSync(path.join(ROOT, 'docs/configure.md'), 'utf8');
    const rows = [...page.matchAll(/^\| (`[^|]*) \|/gm)].map(([, names = '']) => names);
    const documented = rows
      .flatMap((names) => names.split(/[^A-Z_]+/))
      .filter((name) => /^[A-Z]/.test(name));
    assert.ok(documented.length > 30, documented.join());
    // The page has a sign for all that begin in the same way.
    const withoutMore = LISTED.filter((name) => !name.startsWith('TEMPORAL_TLS_'));
    assert.deepEqual(documented.sort(), withoutMore);
  });

  it('are read by our programs', () => {
    assert.deepEqual(
      [...LISTED, 'HOLDPOINT_LINKS', 'TEMPORAL_ADRESS', 'HOSTS'].filter((name) => !isRead(name)),
      ['HOLDPOINT_LINKS', 'TEMPORAL_ADRESS', 'HOSTS'],
    );
  });

  const all = Object.fromEntries(LISTED.map((name) => [name, `the value of ${name}`]));
  const envOf = (names: readonly (readonly string[])[]) =>
    Object.fromEntries(names.map(([name = '']) => [name, all[name] ?? '']));
  const RIGHT = {
    migrate: envOf(NEEDED.migrate),
    worker: envOf(NEEDED.worker),
    activate: envOf(NEEDED.activate),
    api: envOf(NEEDED.api),
  };

  it('may be those that are needed', () => {
    assert.deepEqual(settingFaults(RIGHT), []);
  });

  it('are refused if they lack one, have another, or differ', () => {
    const { HOLDPOINT_API_KEYS, HOLDPOINT_ID_SECRETS, ...api } = RIGHT.api;
    assert.ok(HOLDPOINT_API_KEYS && HOLDPOINT_ID_SECRETS);
    const worker = { ...RIGHT.worker, HOLDPOINT_ID_SECRETS, HOLDPOINT_LINK_KEYS: 'others' };
    const activate = { ...RIGHT.activate, TEMPORAL_NAMESPACE: 'another' };
    assert.deepEqual(settingFaults({ ...RIGHT, worker, activate, api }), [
      'worker has HOLDPOINT_ID_SECRETS, which it does not need',
      'api lacks HOLDPOINT_ID_SECRETS',
      'api lacks HOLDPOINT_API_KEYS or HOLDPOINT_API_KEYS_FILE',
      'HOLDPOINT_LINK_KEYS is not the same for worker and api',
      'TEMPORAL_NAMESPACE is not the same for worker and activate',
    ]);
  });
});
