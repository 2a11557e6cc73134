import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'mocha';
import { withTempFolder } from '../temporal-config/fakes.js';
import { apiSettings } from '../../api/settings.js';

const SETTINGS = {
  DATABASE_URL: 'postgres://127.0.0.1:1/none',
  HOLDPOINT_ID_SECRETS: 'a secret for ids of 32 characters',
};

describe('the settings of the API', () => {
  it('have keys of their own, on loopback, where none are configured', async () => {
    const settings = await apiSettings({ ...SETTINGS, HOST: '0.0.0.0' }, '/');
    assert.equal(settings.areKeysMade, true);
    assert.deepEqual([settings.host, settings.keys.length], ['127.0.0.1', 6]);
  });

  it('serve metrics at an address of their own, and only where one is set', async () => {
    const { metricsAddress: none } = await apiSettings(SETTINGS, '/');
    const { metricsAddress } = await apiSettings(
      { ...SETTINGS, HOLDPOINT_API_METRICS: '9464' },
      '/',
    );
    assert.deepEqual(
      [none, metricsAddress],
      [undefined, { host: '127.0.0.1', port: 9464, setting: 'HOLDPOINT_API_METRICS' }],
    );
  });

  it('know where the pages of Temporal are, if the environment says it', async () => {
    const { temporalUi: none } = await apiSettings(SETTINGS, '/');
    const HOLDPOINT_TEMPORAL_UI = 'https://temporal.example/namespaces/default/';
    const { temporalUi } = await apiSettings({ ...SETTINGS, HOLDPOINT_TEMPORAL_UI }, '/');
    assert.deepEqual([none, temporalUi], [undefined, HOLDPOINT_TEMPORAL_UI.slice(0, -1)]);
  });

  it('let the codecs be used over HTTP only where the configuration has them', async () => {
    const HOLDPOINT_DATA_CONVERTER = path.resolve(import.meta.dirname, '../support/rot-codec.mjs');
    await withTempFolder(async (folder) => {
      const HOLDPOINT_CONFIG = path.join(folder, 'config.yaml');
      await writeFile(HOLDPOINT_CONFIG, 'codec: { origin: https://temporal.example.com }');
      const on = { ...SETTINGS, HOLDPOINT_DATA_CONVERTER };
      assert.equal((await apiSettings(on, '/')).codecs, undefined);
      assert.equal((await apiSettings({ ...on, HOLDPOINT_CONFIG }, '/')).codecs?.length, 1);
      await assert.rejects(apiSettings({ ...SETTINGS, HOLDPOINT_CONFIG }, '/'), {
        message: 'codec of the configuration file needs HOLDPOINT_DATA_CONVERTER.',
      });
    });
  });

  const REFUSED = [
    [{ HOLDPOINT_TEMPORAL_UI: 'javascript:x' }, /^HOLDPOINT_TEMPORAL_UI is "javascript:x"/],
    [{ DATABASE_URL: '' }, /^DATABASE_URL is not set/],
    [{ DATABASE_URL: 'localhost' }, /^DATABASE_URL must be a URL of the form postgres:/],
    [{ DATABASE_URL: 'http://db/x' }, /^DATABASE_URL must be a URL/],
    [{ DATABASE_URL: 'postgres://a:b@c:port/x' }, /^DATABASE_URL must be a URL/],
    [{ HOLDPOINT_ID_SECRETS: '' }, /^HOLDPOINT_ID_SECRETS is not set: .*openssl rand -base64 32/],
    [{ HOLDPOINT_ID_SECRETS: 'short' }, /^HOLDPOINT_ID_SECRETS: secret 1 must have at least 32/],
    [{ HOLDPOINT_STOP_NOTICE_SECONDS: '1e3' }, /^HOLDPOINT_STOP_NOTICE_SECONDS is "1e3"/],
    [{ HOLDPOINT_API_METRICS: 'yes' }, /^HOLDPOINT_API_METRICS is "yes": it must be a port/],
    [{ HOLDPOINT_API_KEYS: '[{"key":"secret' }, /^HOLDPOINT_API_KEYS is not JSON/],
    [
      {
        HOST: '0.0.0.0',
        HOLDPOINT_API_KEYS: '[{"key":"in-clear-text-0123","principal":"a","roles":["agent"]}]',
      },
      /^HOLDPOINT_API_KEYS: \[0\]\.key is in clear text, which only an API on loopback accepts/,
    ],
    [
      { HOLDPOINT_API_KEYS_FILE: '/none' },
      /^HOLDPOINT_API_KEYS_FILE \/none cannot be read: ENOENT/,
    ],
    [{ HOLDPOINT_CONFIG: '/none.yaml' }, /^HOLDPOINT_CONFIG \/none\.yaml: there is no such file/],
  ] as const;
  for (const [env, message] of REFUSED) {
    it(`are refused, for ${message.source.slice(1)} (${Object.values(env).join('')})`, async () => {
      await assert.rejects(apiSettings({ ...SETTINGS, ...env }, '/'), {
        name: 'StartupError',
        message,
      });
    });
  }
});
