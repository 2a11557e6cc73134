import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import { after, before, describe, it } from 'mocha';
import ts from 'typescript';

const run = promisify(execFile);
const ROOT = path.resolve(import.meta.dirname, '../..');

const FILES = {
  'package.json': '{"type":"module"}',
  'workflows.ts': `
import { awaitInput, openInput, requestInput, InputTimeoutError } from 'holdpoint/workflows';
import type { InputOptions } from 'holdpoint/workflows';
const question: InputOptions = { question: 'Go?', response_type: 'confirm', timeout_seconds: 60 };
export async function agent(): Promise<string> {
  try {
    const first = await requestInput(question);
    return String(first) + String(await awaitInput(await openInput(question)));
  } catch (error) {
    if (error instanceof InputTimeoutError) return 'nobody after ' + error.attempts;
    throw error;
  }
}
`,
  'activities.ts': `
import type { InputHookEvent } from 'holdpoint/workflows';
export async function answered({ response, idempotency_key }: InputHookEvent): Promise<string> {
  return idempotency_key + (response?.responded_by ?? '');
}
`,
  'client.ts': `
import { Agent, Operator } from 'holdpoint/client';
export const agent = new Agent({ baseUrl: 'http://127.0.0.1:4000', apiKey: 'key' });
export const operator = new Operator({ baseUrl: 'http://127.0.0.1:4000', apiKey: 'key' });
`,
  'wrong.ts': `
import { requestInput } from 'holdpoint/workflows';
void requestInput({ question: 'Go?', response_type: 'song' });
`,
};

/** A project with the packed Holdpoint as a dependency, and what Holdpoint itself depends on. */
async function newProject(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'holdpoint-package-'));
  const modules = path.join(folder, 'node_modules');
  await mkdir(path.join(modules, 'holdpoint'), { recursive: true });
  await run('npm', ['pack', '--pack-destination', folder], { cwd: ROOT });
  const [tarball = ''] = (await readdir(folder)).filter((name) => name.endsWith('.tgz'));
  const target = path.join(modules, 'holdpoint');
  await run('tar', ['-xzf', path.join(folder, tarball), '-C', target, '--strip-components=1']);
  for (const name of await readdir(path.join(ROOT, 'node_modules'))) {
    if (name.startsWith('.')) continue;
    await symlink(path.join(ROOT, 'node_modules', name), path.join(modules, name));
  }
  for (const [name, text] of Object.entries(FILES)) await writeFile(path.join(folder, name), text);
  return folder;
}

describe('the package', function () {
  this.timeout(180_000);
  let folder = '';
  before(async () => {
    folder = await newProject();
  });
  after(() => rm(folder, { recursive: true, force: true }));

  function faultsOf(...names: readonly string[]): string[] {
    const program = ts.createProgram(
      names.map((name) => path.join(folder, name)),
      {
        target: ts.ScriptTarget.ES2022,
        module: ts.ModuleKind.NodeNext,
        moduleResolution: ts.ModuleResolutionKind.NodeNext,
        strict: true,
        exactOptionalPropertyTypes: true,
        skipLibCheck: true,
        noEmit: true,
        types: [],
      },
    );
    return ts
      .getPreEmitDiagnostics(program)
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
  }

  it('gives its types to another project', () => {
    assert.deepEqual(faultsOf('workflows.ts', 'activities.ts', 'client.ts'), []);
    assert.match(faultsOf('wrong.ts').join(), /song/);
  });

  it('goes into the workflow bundle of another worker, with one SDK and no zod', async () => {
    const { code } = await bundleWorkflowCode({
      workflowsPath: path.join(folder, 'workflows.ts'),
      logger: new DefaultLogger('ERROR'),
    });
    const modules = [...code.matchAll(/^\/\*\*\*\/ "([^"]+)"/gm)].map(([, name]) => name ?? '');
    assert.ok(modules.some((name) => name.endsWith('dist/workflows/human/request-input.js')));
    assert.deepEqual(
      modules.filter((name) => /node_modules\/zod|^node:/.test(name)),
      [],
    );
    const sdks = modules.filter((name) => name.endsWith('@temporalio/workflow/lib/workflow.js'));
    assert.equal(sdks.length, 1);
  });

  it('gives its client to plain JavaScript', async () => {
    const script =
      "const { Agent } = await import('holdpoint/client'); console.log(typeof Agent.prototype.requestInput)";
    const args = ['--input-type=module', '-e', script];
    const { stdout } = await run(process.execPath, args, { cwd: folder });
    assert.equal(stdout.trim(), 'function');
  });

  it('hides what is not meant for others', async () => {
    const script =
      "await import('holdpoint/dist/api/app.js').catch(({ code }) => console.log(code))";
    const args = ['--input-type=module', '-e', script];
    const { stdout } = await run(process.execPath, args, { cwd: folder });
    assert.equal(stdout.trim(), 'ERR_PACKAGE_PATH_NOT_EXPORTED');
  });
});
