import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { versionOf, versioned } from '../../workers/versioning.js';

const MAP = '\n//# sourceMappingURL=data:application/json;charset=utf-8;base64,';

describe('the version of a worker', () => {
  it('is the version of the package and a hash of the workflow code', async () => {
    const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
    const { deploymentName, buildId } = await versionOf({ code: 'one' });
    assert.equal(deploymentName, 'holdpoint');
    assert.match(buildId, new RegExp(`^${version.replaceAll('.', '\\.')}-[0-9a-f]{12}$`));
  });

  it('is the same for the same code in a file, and another for other code', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'holdpoint-version-'));
    const codePath = path.join(folder, 'bundle.js');
    await writeFile(codePath, 'one');
    assert.deepEqual(await versionOf({ codePath }), await versionOf({ code: 'one' }));
    assert.notDeepEqual(await versionOf({ codePath }), await versionOf({ code: 'two' }));
    await rm(folder, { recursive: true });
  });

  it('does not depend on the source map, which names files of a machine', async () => {
    const [here, there] = ['aGVyZQ==', 'dGhlcmU='].map((map) => ({ code: `one${MAP}${map}\n` }));
    assert.deepEqual(await versionOf(here ?? { code: '' }), await versionOf(there ?? { code: '' }));
  });

  it('lets workflows move to the current one with their next task', async () => {
    const version = await versionOf({ code: 'one' });
    assert.deepEqual(versioned(version).workerDeploymentOptions, {
      version,
      useWorkerVersioning: true,
      defaultVersioningBehavior: 'AUTO_UPGRADE',
    });
  });
});
