import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { endOf } from '../support/processes.js';
import { withFolder } from '../support/temp-folder.js';
import { makeCertificate } from '../temporal-config/guarded-server.js';
import { ROOT } from './faults.js';

const SCRIPT = path.join(ROOT, 'deploy/image/remove-drained.mjs');
const OLD = 'holdpoint-worker-0-1-0';
const NEW = 'holdpoint-worker-0-2-0';

describe('the clean-up of drained workers', () => {
  let folder = '';
  let kubernetes: Server;
  let certificate = '';
  /** What was asked of Kubernetes. */
  let asked: string[] = [];
  /** The workers of the chart, and how Kubernetes answers a deletion. */
  let current = NEW;
  let deletion = 200;
  withFolder((made) => (folder = made));

  beforeEach(async () => {
    [asked, current, deletion] = [[], NEW, 200];
    const own = await makeCertificate(folder, 'kubernetes');
    ({ certificate } = own);
    const [cert, key] = await Promise.all([readFile(certificate), readFile(own.key)]);
    kubernetes = createServer({ cert, key }, ({ method = '', url = '', headers }, response) => {
      asked.push(`${method} ${url}`);
      const isKnown = headers.authorization === 'Bearer the token';
      response.writeHead(isKnown ? (method === 'DELETE' ? deletion : 200) : 401);
      response.end(JSON.stringify({ data: { current } }));
    });
    kubernetes.listen(0, 'localhost');
    await once(kubernetes, 'listening');
    await writeFile(path.join(folder, 'namespace'), 'tools');
    await writeFile(path.join(folder, 'token'), 'the token');
  });
  afterEach(async () => {
    kubernetes.close();
    await once(kubernetes, 'close');
  });

  /** Runs it with a Temporal that says this of the version. */
  async function clean(status: string) {
    const bin = path.join(folder, 'bin');
    await mkdir(bin);
    const says = `#!/bin/sh\n[ "$*" = 'activate --status' ] && echo '${status}'\n`;
    await writeFile(path.join(bin, 'holdpoint'), says, { mode: 0o755 });
    const { port } = kubernetes.address() as AddressInfo;
    const url = `https://localhost:${port}`;
    const env = { PATH: `${bin}:${process.env['PATH']}`, NODE_EXTRA_CA_CERTS: certificate };
    return endOf([SCRIPT, OLD, 'holdpoint-workers', url, folder], { env });
  }

  const MARK = 'GET /api/v1/namespaces/tools/configmaps/holdpoint-workers';
  const BACKGROUND = '?propagationPolicy=Background';
  const GONE = [
    MARK,
    `DELETE /apis/apps/v1/namespaces/tools/deployments/${OLD}${BACKGROUND}`,
    `DELETE /apis/batch/v1/namespaces/tools/cronjobs/${OLD}${BACKGROUND}`,
  ];

  it('deletes the workers of an earlier version that Temporal calls drained, and itself', async () => {
    const { code, out, err } = await clean('0.1.0-4f6e511de359 drained');
    assert.deepEqual({ code, err, asked }, { code: 0, err: '', asked: GONE });
    assert.match(out, new RegExp(`^${OLD} is deleted\\.$`, 'm'));
  });

  for (const status of ['current', 'ramping', 'draining', 'inactive', 'unknown']) {
    it(`leaves workers that Temporal calls ${status}`, async () => {
      const { code, out } = await clean(`0.1.0-4f6e511de359 ${status}`);
      assert.deepEqual({ code, asked }, { code: 0, asked: [] });
      assert.match(out, new RegExp(` ${status}$`, 'm'));
    });
  }

  it('leaves drained workers that a rollback has brought back', async () => {
    current = OLD;
    const { code, out } = await clean('0.1.0-4f6e511de359 drained');
    assert.deepEqual({ code, asked }, { code: 0, asked: GONE.slice(0, 1) });
    assert.match(out, /stays: the chart has these workers/);
  });

  it('goes on where the workers are gone already', async () => {
    deletion = 404;
    const { code } = await clean('0.1.0-4f6e511de359 drained');
    assert.deepEqual({ code, asked }, { code: 0, asked: GONE });
  });

  it('fails where it may not delete them', async () => {
    deletion = 403;
    const { code, err } = await clean('0.1.0-4f6e511de359 drained');
    assert.deepEqual({ code, asked }, { code: 1, asked: GONE.slice(0, 2) });
    assert.match(err, /DELETE .* is answered with 403/);
  });

  it('fails where Temporal does not say it', async () => {
    const bin = path.join(folder, 'bin');
    await mkdir(bin);
    await writeFile(path.join(bin, 'holdpoint'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    const env = { PATH: `${bin}:${process.env['PATH']}` };
    const { code } = await endOf([SCRIPT, OLD, 'x', 'https://localhost:1', folder], { env });
    assert.deepEqual({ code, asked }, { code: 1, asked: [] });
  });
});
