import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';

const ROOT = path.resolve(import.meta.dirname, '../..');
const ENTRY = path.join(ROOT, 'client/index.ts');
const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ES2022,
  verbatimModuleSyntax: true,
};

/** A script that runs one question through an injected fetch, in a world without Node's globals. */
const BROWSER_LIKE = `
new Headers(); // Node brings its own in on first use, with the help of its globals.
for (const name of ['process', 'Buffer', 'global', 'setImmediate', 'fetch']) delete globalThis[name];
const { Agent } = await import('./client/index.js');
const view = (state, more) => ({
  id: 's', intent_id: 'i', state, attempt: 1, max_attempts: 1, next_attempt_at: null,
  record: { id: 's', question: 'Q?', response_type: 'text', fallback_policy: 'fail', ...more },
  schedule: { attempts: [] }, timeline: [],
});
const answer = { resolution: 'responded', response: 'done', responded_by: 'a', responded_at: 't' };
const paths = [];
const fetch = async (url, init) => {
  paths.push(init.method + ' ' + new URL(url).pathname);
  const body = init.method === 'POST' ? view('pending') : view('settled', answer);
  return { ok: true, status: 200, headers: new Headers(), text: async () => JSON.stringify(body) };
};
const agent = new Agent({ baseUrl: 'http://holdpoint.test', apiKey: 'k', fetch });
const value = await agent.requestInput('i', { question: 'Q?', response_type: 'text' });
console.log(JSON.stringify({ value, paths, process: typeof process, Buffer: typeof Buffer }));
`;

const texts = new Map<string, string>();

/** What the browser gets of a file: its JavaScript, with the type imports gone. */
function emitted(file: string): string {
  const text = texts.get(file) ?? transpiled(file);
  texts.set(file, text);
  return text;
}

function transpiled(file: string): string {
  const source = ts.sys.readFile(file);
  assert.ok(source !== undefined, file);
  return ts.transpileModule(source, { compilerOptions: OPTIONS }).outputText;
}

function sourceOf(program: ts.Program, file: string): ts.SourceFile {
  return program.getSourceFile(path.join(ROOT, file)) ?? assert.fail(file);
}

function importsOf(source: string): string[] {
  return ts.preProcessFile(source, true, true).importedFiles.map(({ fileName }) => fileName);
}

/** Every file that the entry reaches by the imports of its text, in paths from the root. */
function graph(textOf: (file: string) => string): { files: string[]; foreign: string[] } {
  const files = [ENTRY];
  const foreign: string[] = [];
  for (const file of files) {
    for (const specifier of importsOf(textOf(file))) {
      const target = path.resolve(path.dirname(file), specifier.replace(/\.js$/, '.ts'));
      if (!specifier.startsWith('.')) foreign.push(specifier);
      else if (!files.includes(target)) files.push(target);
    }
  }
  return { files: files.map((file) => path.relative(ROOT, file)), foreign };
}

describe('the files of the client', () => {
  it('run nothing but the client and constants', () => {
    const { files, foreign } = graph(emitted);

    assert.ok(files.length > 10);
    assert.deepEqual(foreign, ['eventsource-parser']);
    const outside = files.filter((file) => !/^(client|contracts\/constants)\//.test(file));
    assert.deepEqual(outside, []);
  });

  it('take types from the contracts alone', () => {
    const { files } = graph((file) => ts.sys.readFile(file) ?? '');

    assert.ok(files.some((file) => file.startsWith('contracts/')));
    assert.deepEqual(
      files.filter((file) => !/^(client|contracts)\//.test(file)),
      [],
    );
  });

  it('name no global that a browser lacks', () => {
    const program = ts.createProgram([ENTRY], {
      ...OPTIONS,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
      types: [],
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: true,
      noEmit: true,
    });
    const faults = graph(emitted)
      .files.flatMap((file) => program.getSemanticDiagnostics(sourceOf(program, file)))
      .map(({ file, messageText }) => [file?.fileName, messageText]);

    assert.deepEqual(faults, []);
  });

  it('work where process and Buffer are undefined', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'holdpoint-client-'));
    try {
      for (const file of graph(emitted).files) {
        const target = path.join(folder, file.replace(/\.ts$/, '.js'));
        await mkdir(path.dirname(target), { recursive: true });
        await writeFile(target, emitted(path.join(ROOT, file)));
      }
      const parser = 'node_modules/eventsource-parser';
      await cp(path.join(ROOT, parser), path.join(folder, parser), { recursive: true });
      await writeFile(path.join(folder, 'package.json'), '{"type":"module"}');
      await writeFile(path.join(folder, 'run.js'), BROWSER_LIKE);
      const { stdout } = await promisify(execFile)(process.execPath, ['run.js'], { cwd: folder });

      assert.deepEqual(JSON.parse(stdout), {
        value: 'done',
        paths: ['POST /v1/intents/i/suspend', 'GET /v1/suspensions/s/wait'],
        process: 'undefined',
        Buffer: 'undefined',
      });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
