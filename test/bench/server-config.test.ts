import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  SERVICES,
  dynamicConfig,
  schemaCalls,
  serverConfig,
  type ServerSettings,
} from '../../bench/postgres/server-config.js';

const SETTINGS: ServerSettings = {
  postgres: '127.0.0.1:5555',
  user: 'postgres',
  databases: { default: 'temporal', visibility: 'temporal_visibility' },
  ports: {
    frontend: { grpc: 1, membership: 2 },
    history: { grpc: 3, membership: 4 },
    matching: { grpc: 5, membership: 6 },
    worker: { grpc: 7, membership: 8 },
  },
  metricsPort: 9,
  dynamicConfigFile: '/tmp/dynamic-config.yaml',
};

describe('the configuration of a Temporal server on PostgreSQL', () => {
  const config = serverConfig(SETTINGS) as {
    readonly persistence: {
      readonly defaultStore: string;
      readonly visibilityStore: string;
      readonly datastores: Record<string, { readonly sql: Record<string, unknown> }>;
    };
    readonly global: { readonly metrics: { readonly prometheus: object } };
    readonly services: Record<string, { readonly rpc: object }>;
    readonly clusterMetadata: { readonly clusterInformation: object };
    readonly dynamicConfigClient: object;
  };

  it('keeps workflows and their list in two databases of one server', () => {
    const { defaultStore, visibilityStore, datastores } = config.persistence;
    const places = [defaultStore, visibilityStore].map((name) => {
      const { pluginName, connectAddr, databaseName } = datastores[name]?.sql ?? {};
      return [pluginName, connectAddr, databaseName];
    });
    assert.deepEqual(places, [
      ['postgres12', '127.0.0.1:5555', 'temporal'],
      ['postgres12', '127.0.0.1:5555', 'temporal_visibility'],
    ]);
  });

  it('binds every service to loopback, on ports of its own', () => {
    assert.deepEqual(Object.keys(config.services), [...SERVICES]);
    const rpc = { grpcPort: 5, membershipPort: 6, bindOnLocalHost: true };
    assert.deepEqual(config.services['matching'], { rpc });
  });

  it('serves its counters, and finds its own frontend', () => {
    const { prometheus } = config.global.metrics;
    const listening = { framework: 'tally', timerType: 'histogram', listenAddress: '127.0.0.1:9' };
    assert.deepEqual(prometheus, listening);
    assert.deepEqual(config.clusterMetadata.clusterInformation, {
      active: {
        enabled: true,
        initialFailoverVersion: 1,
        rpcName: 'frontend',
        rpcAddress: '127.0.0.1:1',
      },
    });
  });

  it('names the file of the values that may change, and asks no outside host', () => {
    const filepath = '/tmp/dynamic-config.yaml';
    assert.deepEqual(config.dynamicConfigClient, { filepath, pollInterval: '60s' });
    const values = dynamicConfig() as Record<string, unknown>;
    assert.deepEqual(values['frontend.enableServerVersionCheck'], [{ value: false }]);
  });

  it('makes the tables of each database from the schema of its kind', () => {
    const calls = schemaCalls(SETTINGS).map((args) => args.join(' '));
    const where = '--plugin postgres12 --endpoint 127.0.0.1 --port 5555 --user postgres --database';
    assert.deepEqual(calls, [
      `${where} temporal create-database`,
      `${where} temporal setup-schema --version 0.0`,
      `${where} temporal update-schema --schema-name postgresql/v12/temporal`,
      `${where} temporal_visibility create-database`,
      `${where} temporal_visibility setup-schema --version 0.0`,
      `${where} temporal_visibility update-schema --schema-name postgresql/v12/visibility`,
    ]);
  });
});
