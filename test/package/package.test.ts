import assert from 'node:assert/strict';
import path from 'node:path';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import { after, before, describe, it } from 'mocha';
import { snippetWith, snippetsOf } from '../support/snippets.js';
import { faultsIn, projectWith, run, type Project } from './packed.js';

/** What the pages show of agents on Temporal; test/workflows/human/approvals-page.test.ts runs it. */
const SNIPPETS = [
  ...snippetsOf('docs/approvals.md', 'ts'),
  ...snippetsOf('README.md', 'ts'),
].filter((code) => code.includes("from 'holdpoint/workflows'"));
const FLOW = snippetWith(SNIPPETS, 'function release(');
const GATE = snippetWith(SNIPPETS, 'function turn(');
const SNIPPET_FILES = SNIPPETS.map((code, nth) => [`snippet-${nth}.ts`, code] as const);

const FILES = {
  'flow.ts': FLOW,
  'gate.ts': GATE,
  ...Object.fromEntries(SNIPPET_FILES),
  'build-activities.ts': `
export async function build(commit: string): Promise<string> { return 'v-' + commit; }
export async function deploy(version: string): Promise<void> { await Promise.resolve(version); }
`,
  'tool-activities.ts': `
import type { ToolCall } from 'holdpoint/workflows';
export async function search(args: ToolCall['arguments']): Promise<string> {
  return 'found ' + JSON.stringify(args);
}
export async function deploy(args: ToolCall['arguments'], key: string): Promise<string> {
  return key + JSON.stringify(args);
}
`,
  'workflows.ts': `
import { awaitInput, openInput, requestInput, InputTimeoutError } from 'holdpoint/workflows';
import type { InputOptions } from 'holdpoint/workflows';
export { release } from './flow.js';
export { turn } from './gate.js';
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
  'wrong.ts': `
import { requestInput } from 'holdpoint/workflows';
void requestInput({ question: 'Go?', response_type: 'song' });
`,
};

describe('the package', function () {
  this.timeout(600_000);
  let project: Project;
  let folder = '';
  before(async () => {
    project = await projectWith('holdpoint', FILES);
    folder = project.folder;
  });
  after(() => project.remove());

  const faultsOf = (...names: readonly string[]) =>
    faultsIn(project, names, { skipLibCheck: true });

  it('gives its types to another project', () => {
    assert.deepEqual(faultsOf('workflows.ts', 'activities.ts'), []);
    assert.deepEqual(faultsOf(...SNIPPET_FILES.map(([name]) => name)), []);
    assert.match(faultsOf('wrong.ts').join(), /song/);
  });

  it('goes into the workflow bundle of another worker, with one SDK and no zod', async () => {
    const { code } = await bundleWorkflowCode({
      workflowsPath: path.join(folder, 'workflows.ts'),
      logger: new DefaultLogger('ERROR'),
    });
    const modules = [...code.matchAll(/^\/\*\*\*\/ "([^"]+)"/gm)].map(([, name]) => name ?? '');
    for (const own of ['human/request-input.js', 'gate/gate-tools.js']) {
      assert.ok(modules.some((name) => name.endsWith(`dist/workflows/${own}`)));
    }
    assert.deepEqual(
      modules.filter((name) => /node_modules\/zod|^node:/.test(name)),
      [],
    );
    const sdks = modules.filter((name) => name.endsWith('@temporalio/workflow/lib/workflow.js'));
    assert.equal(sdks.length, 1);
  });

  it('hides what is not meant for others', async () => {
    const script =
      "await import('holdpoint/dist/api/app.js').catch(({ code }) => console.log(code))";
    const args = ['--input-type=module', '-e', script];
    const { stdout } = await run(process.execPath, args, { cwd: folder });
    assert.equal(stdout.trim(), 'ERR_PACKAGE_PATH_NOT_EXPORTED');
  });
});
