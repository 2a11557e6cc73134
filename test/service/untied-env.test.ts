import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { isolatedEnv } from '../../service/settings.js';

describe('an untied environment', () => {
  it('points at no data, no keys and no server of yours', () => {
    const ties = {
      DATABASE_URL: 'postgres://yours/holdpoint',
      HOLDPOINT_API_KEYS: '[]',
      HOLDPOINT_API_KEYS_FILE: 'yours.json',
      HOLDPOINT_API_METRICS: '9464',
      HOLDPOINT_CONFIG: 'yours.yaml',
      HOLDPOINT_DATA_CONVERTER: 'yours.mjs',
      HOLDPOINT_DATA_DIR: 'yours',
      HOLDPOINT_ID_SECRETS: 'yours',
      HOLDPOINT_PUBLIC_URL: 'https://yours.example',
      HOLDPOINT_TEMPORAL_UI: 'https://yours.example/namespaces/yours',
      HOLDPOINT_WORKER_METRICS: '9465',
      HOLDPOINT_WORKFLOW_BUNDLE: 'yours.js',
      HOST: '0.0.0.0',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://yours:4318',
      OTEL_EXPORTER_OTLP_HEADERS: 'key=yours',
      PORT: '80',
      TEMPORAL_ADDRESS: 'yours:7233',
      TEMPORAL_NAMESPACE: 'yours',
    };
    const kept = {
      PATH: '/bin',
      TEMPORAL_CLI_PATH: '/bin/temporal',
      HOLDPOINT_CACHE_DIR: '/cache',
    };
    assert.deepEqual(isolatedEnv({ ...ties, ...kept }), kept);
  });
});
