import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import ts from 'typescript';
import { snippetWith, snippetsOf } from '../support/snippets.js';
import { ROOT, faultsIn, projectWith, run, type Project } from './packed.js';

const README = readFileSync(path.resolve(import.meta.dirname, '../../client/README.md'), 'utf8');
/** What the README shows of approvals; its first snippet needs the types of Node. */
const SNIPPETS = [...README.matchAll(/```ts\n(.*?)```/gs)]
  .map(([, code = '']) => code)
  .filter((code) => code.includes('ApprovalClient'))
  .map((code, nth) => [`snippet-${nth}.ts`, code] as const);

/** What the pages show of the client; test/api/e2e/approvals-page.test.ts runs what is about approvals. */
const SHOWN = [...snippetsOf('docs/approvals.md', 'ts'), ...snippetsOf('README.md', 'ts')].filter(
  (code) => code.includes("from 'holdpoint-client'"),
);

const FILES = {
  ...Object.fromEntries(SNIPPETS),
  'wire.ts': snippetWith(SHOWN, 'async function wire('),
  'back.ts': snippetWith(SHOWN, 'function goOn('),
  'first.ts': snippetWith(SHOWN, 'answer.comment'),
  'ask.ts': snippetWith(SHOWN, 'choices:'),
  'intent.ts': snippetWith(SHOWN, 'createIntent('),
  'bank.ts': `
import type { JsonObject } from 'holdpoint-client';
export async function transfer(wire: JsonObject, key: string): Promise<JsonObject> {
  return { ...wire, key };
}
`,
  'process.d.ts': 'declare const process: { env: Record<string, string | undefined> };',
  'agent.ts': `
import { Agent, HoldpointError, Operator } from 'holdpoint-client';
import type { Intent, JsonValue, SuspensionView } from 'holdpoint-client';
const options = { baseUrl: 'http://127.0.0.1:4000', apiKey: 'key', logger: console };
export const operator = new Operator(options);
export async function ask(): Promise<[Intent, JsonValue, SuspensionView]> {
  const agent = new Agent(options);
  const intent = await agent.createIntent({ title: 'Refund', state: { order: [1] } });
  const value = await agent.requestInput(intent.id, { question: 'Go?', timeout_seconds: 60 });
  const view = await operator.getSuspension('id');
  const status: 'pending' | 'settled' = view.state;
  const portfolio = await agent.portfolios.create({ name: status });
  if (portfolio.status === 'active') throw new HoldpointError('late', portfolio.name);
  return [intent, value, view];
}
`,
  'wrong.ts': `
import { Agent } from 'holdpoint-client';
const agent = new Agent({ baseUrl: 'http://127.0.0.1:4000', apiKey: 'key' });
void agent.requestInput('id', { question: 'Go?', response_type: 'song' });
void agent.getIntent('id').then(({ version }) => version.toUpperCase());
void agent.ask('Go?', { timeout: '1h' }).then(({ approved }) => approved.toFixed());
void agent.ask('Where?', { choices: ['eu', 'us'] }).then(({ value }) => value === 'mars');
void agent.ask('Where?', { choices: ['eu', 'us'] }).then((answer) => answer.approved);
void agent.ask('Go?', { timeout_seconds: 3600 });
void agent.requestInput({ question: 'Go?' });
`,
};

describe('the client package', function () {
  this.timeout(600_000);
  let project: Project;
  before(async () => {
    project = await projectWith('holdpoint-client', FILES);
  });
  after(() => project.remove());

  it('is packed without a warning', async () => {
    const pack = ['pack', '-w', 'holdpoint-client', '--dry-run'];
    const { stderr } = await run('npm', pack, { cwd: ROOT });
    const more = stderr.split('\n').filter((line) => line !== '' && !line.startsWith('npm notice'));
    assert.deepEqual(more, []);
  });

  /** Checked whole, the package's own declarations too, without any types but the platform's. */
  const faultsOf = (...names: readonly string[]) =>
    faultsIn(project, names, {
      lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    });

  it('gives its types to another project, without zod', () => {
    assert.deepEqual(faultsOf('agent.ts'), []);
    assert.equal(SNIPPETS.length, 2);
    for (const [name] of SNIPPETS) assert.deepEqual(faultsOf(name), [], name);
    assert.deepEqual(
      faultsOf('wire.ts', 'back.ts', 'first.ts', 'ask.ts', 'intent.ts', 'process.d.ts'),
      [],
    );
    const wrong = faultsOf('wrong.ts');
    assert.equal(wrong.length, 7);
    assert.match(
      wrong.join(),
      /song.*toUpperCase.*toFixed.*mars.*approved.*timeout_seconds.*Expected 2/s,
    );
  });

  it('imports one package, and its types none', async () => {
    const importsOf = async (file: string): Promise<string[]> => {
      const text = await readFile(path.join(project.installed, 'dist', file), 'utf8');
      return ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName);
    };
    assert.deepEqual(await importsOf('index.js'), ['eventsource-parser']);
    assert.deepEqual(await importsOf('index.d.ts'), []);
    // An adapter imports the client alone, and nothing of its framework.
    const adapters = ['ai', 'claude', 'langchain', 'mastra', 'openai-agents'];
    for (const adapter of adapters) {
      assert.deepEqual(await importsOf(`${adapter}.js`), ['./index.js']);
      assert.deepEqual(await importsOf(`${adapter}.d.ts`), ['./index.js']);
    }
    const files = [...adapters, 'index'].flatMap((name) => [`${name}.d.ts`, `${name}.js`]);
    const packed = await readdir(path.join(project.installed, 'dist'));
    assert.deepEqual(packed.toSorted(), files.toSorted());
  });

  it('runs in plain JavaScript', async () => {
    const script = `
      const { Agent } = await import('holdpoint-client');
      const fetch = async (url) => new Response(JSON.stringify({ id: url }));
      const agent = new Agent({ baseUrl: 'http://holdpoint.test', apiKey: 'k', fetch });
      console.log((await agent.getIntent('i')).id);`;
    const args = ['--input-type=module', '-e', script];
    const { stdout } = await run(process.execPath, args, { cwd: project.folder });
    assert.equal(stdout.trim(), 'http://holdpoint.test/v1/intents/i');
  });
});
