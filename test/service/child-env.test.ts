import assert from 'node:assert/strict';
import { childEnv } from '../../service/node-process.js';
import { traceSettings } from '../../service/processes.js';

const ENV = {
  PATH: '/bin',
  LC_ALL: 'C',
  HTTPS_PROXY: 'http://proxy',
  HOLDPOINT_API_KEYS: '[secret]',
  DATABASE_URL: 'postgres://secret',
  TEMPORAL_API_KEY: 'secret',
  SOME_TOKEN: 'secret',
};

describe('the environment of a supervised process', () => {
  it('keeps what every program needs, and no secret', () => {
    const { HOLDPOINT_API_KEYS: _k, DATABASE_URL: _d, TEMPORAL_API_KEY: _t, ...rest } = ENV;
    const { SOME_TOKEN: _s, ...common } = rest;
    assert.deepEqual(childEnv(ENV), common);
  });

  it('holds what it is given, and nothing that is undefined', () => {
    const given = { PORT: '4000', HOLDPOINT_CONFIG: undefined };
    assert.deepEqual(childEnv({}, given), { PORT: '4000' });
  });

  it('holds where traces go for those that send some, and for no other', () => {
    const otel = {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://a',
      OTEL_EXPORTER_OTLP_HEADERS: 'key=secret',
    };
    assert.deepEqual(traceSettings({ ...ENV, ...otel }), otel);
    assert.equal(childEnv({ ...ENV, ...otel })['OTEL_EXPORTER_OTLP_HEADERS'], undefined);
  });
});
