import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { connectionOptions, localServerEnv } from '../../temporal-config/connection.js';
import { withTempFolder } from './fakes.js';

const noFile = { TEMPORAL_CONFIG_FILE: '' };

describe('the settings for Temporal', () => {
  it('lead to the usual local server by default', () => {
    assert.deepEqual(connectionOptions(noFile), {
      connection: { address: '127.0.0.1:7233' },
      namespace: 'default',
    });
  });

  it('take address, namespace and key from the environment', () => {
    const env = { TEMPORAL_ADDRESS: 'a.test:7233', TEMPORAL_NAMESPACE: 'n', TEMPORAL_API_KEY: 'k' };
    assert.deepEqual(connectionOptions({ ...noFile, ...env }), {
      connection: { address: 'a.test:7233', apiKey: 'k', tls: true },
      namespace: 'n',
    });
  });

  it('take certificates and headers from the environment', () => {
    const { connection } = connectionOptions({
      ...noFile,
      TEMPORAL_ADDRESS: 'a.test:7233',
      TEMPORAL_TLS_CLIENT_CERT_DATA: 'cert',
      TEMPORAL_TLS_CLIENT_KEY_DATA: 'key',
      TEMPORAL_TLS_SERVER_NAME: 'name',
      TEMPORAL_GRPC_META_TEAM: 'blue',
    });
    assert.ok(typeof connection.tls === 'object');
    assert.equal(connection.tls.serverNameOverride, 'name');
    assert.equal(Buffer.from(connection.tls.clientCertPair?.crt ?? []).toString(), 'cert');
    assert.deepEqual(connection.metadata, { team: 'blue' });
  });

  it('treat empty variables as not set', () => {
    const env = { TEMPORAL_ADDRESS: '', TEMPORAL_NAMESPACE: '', TEMPORAL_API_KEY: '' };
    assert.deepEqual(connectionOptions({ ...noFile, ...env }), connectionOptions(noFile));
  });

  it('take a profile from the configuration file', async () => {
    await withTempFolder(async (folder) => {
      const file = join(folder, 'temporal.toml');
      await writeFile(file, '[profile.prod]\naddress = "p.test:7233"\nnamespace = "live"\n');
      const env = { TEMPORAL_CONFIG_FILE: file, TEMPORAL_PROFILE: 'prod' };
      assert.deepEqual(connectionOptions(env), {
        connection: { address: 'p.test:7233' },
        namespace: 'live',
      });
    });
  });

  it('are refused in one line when they cannot be read', async () => {
    await withTempFolder(async (folder) => {
      const file = join(folder, 'temporal.toml');
      await writeFile(file, '[profile.default]\n');
      const env = { TEMPORAL_CONFIG_FILE: file, TEMPORAL_PROFILE: 'absent' };
      assert.throws(() => connectionOptions(env), {
        code: 'connection_settings_invalid',
        message:
          "The settings for Temporal cannot be used: Profile 'absent' not found in config data",
      });
    });
  });
});

describe('the address of Temporal', () => {
  it('is a host, or a host with a port', () => {
    for (const address of ['localhost', 'a.test:7233', '127.0.0.1:1', '[::1]:7233']) {
      const { connection } = connectionOptions({ ...noFile, TEMPORAL_ADDRESS: address });
      assert.equal(connection.address, address);
    }
    for (const address of ['http://a.test', 'grpc://a:1', 'a:b', 'a:7233/x', 'a b:1', '::1']) {
      assert.throws(() => connectionOptions({ ...noFile, TEMPORAL_ADDRESS: address }), {
        code: 'connection_settings_invalid',
        message: `The address of Temporal is ${address}: it must be host:port, such as 127.0.0.1:7233.`,
      });
    }
  });
});

describe('the file with the API key', () => {
  const load = (file: string, more = {}) =>
    connectionOptions({ ...noFile, HOLDPOINT_TEMPORAL_API_KEY_FILE: file, ...more });

  it('gives the key without the space around it, and TLS with it', async () => {
    await withTempFolder(async (folder) => {
      const file = join(folder, 'key');
      await writeFile(file, ' secret.key\n');
      const { connection } = load(file);
      assert.deepEqual([connection.apiKey, connection.tls], ['secret.key', true]);
    });
  });

  it('is refused without repeating what it holds', async () => {
    await withTempFolder(async (folder) => {
      for (const content of ['', 'two keys', 'gehe\u00efm']) {
        const file = join(folder, 'key');
        await writeFile(file, content);
        assert.throws(() => load(file), {
          code: 'connection_settings_invalid',
          message: `The settings for Temporal cannot be used: HOLDPOINT_TEMPORAL_API_KEY_FILE ${file} must hold a key: characters of ASCII in one line`,
        });
      }
    });
  });

  it('is refused beside another key, and where it is missing', async () => {
    await withTempFolder(async (folder) => {
      const file = join(folder, 'key');
      assert.throws(() => load(file), { code: 'connection_settings_invalid', message: /ENOENT/ });
      await writeFile(file, 'key');
      const other = { TEMPORAL_API_KEY: 'other' };
      assert.throws(() => load(file, other), { message: /set either TEMPORAL_API_KEY or / });
    });
  });
});

describe('the environment for children of a local server', () => {
  it('leads to that server whatever was set before', () => {
    const env = localServerEnv(
      {
        PATH: '/bin',
        TEMPORAL_API_KEY: 'secret',
        HOLDPOINT_TEMPORAL_API_KEY_FILE: '/run/secrets/key',
        TEMPORAL_PROFILE: 'prod',
        TEMPORAL_TLS: 'true',
        TEMPORAL_GRPC_META_TEAM: 'blue',
      },
      { address: '127.0.0.1:9', namespace: 'hp' },
    );
    assert.equal(env['PATH'], '/bin');
    assert.deepEqual(connectionOptions(env), {
      connection: { address: '127.0.0.1:9' },
      namespace: 'hp',
    });
  });
});
