import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const COMPILE = path.join(import.meta.dirname, 'compile.mjs');

const MAIN = `import { add } from './deep/add.js';
import type { Sum } from './deep/add.js';
import { named } from 'named';

interface Said {
  readonly sum: Sum;
}
const said: Said = { sum: add(1, 2) };
console.log(JSON.stringify([said.sum, named, import.meta.url, import.meta.dirname]));
console.log(new Error('here').stack);
`;
const ADD = `export type Sum = number;
export const add = (one: Sum, other: Sum): Sum => one + other;
`;
const PATHS = { compilerOptions: { paths: { named: ['./deep/named.ts'] } } };

describe('the sources that tests run', () => {
  let root = '';

  beforeEach(async () => {
    root = await mkdtemp(path.join(tmpdir(), 'holdpoint-compile-'));
    await mkdir(path.join(root, 'deep'));
    await write('tsconfig.json', JSON.stringify(PATHS));
    await write('main.ts', MAIN);
    await write('deep/add.ts', ADD);
    await write('deep/named.ts', "export const named = 'by a path';\n");
  });
  afterEach(() => rm(root, { recursive: true }));

  function write(file: string, text: string): Promise<void> {
    return writeFile(path.join(root, file), text);
  }

  /** Compiles in a process of its own, as each mocha does. */
  async function compiled(): Promise<string> {
    const { href } = new URL(`file://${COMPILE}`);
    const script = `import { compiledTree } from ${JSON.stringify(href)};
      console.log(compiledTree(${JSON.stringify(root)}));`;
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', script]);
    return stdout.trim();
  }

  const started = async (tree: string) => run(process.execPath, [path.join(tree, 'main.js')]);

  it('take themselves for the sources, to the line and column', async () => {
    const { stdout } = await started(await compiled());
    const [said = '', ...trace] = stdout.split('\n');
    const main = new URL(`file://${root}/main.ts`).href;
    assert.deepEqual(JSON.parse(said), [3, 'by a path', main, root]);
    assert.ok(trace.join('\n').includes(`${main}:10:13`), trace.join('\n'));
  });

  it('are never those of before, though size and time are the same', async () => {
    const before = await compiled();
    const file = path.join(root, 'deep/add.ts');
    const { atime, mtime } = await stat(file);
    await write('deep/add.ts', ADD.replace('+', '*'));
    await utimes(file, atime, mtime);
    const after = await compiled();
    assert.match((await started(after)).stdout, /^\[2,/);
    // A run that goes on meanwhile keeps what it began with.
    assert.match((await started(before)).stdout, /^\[3,/);
    await write('deep/add.ts', ADD);
    assert.equal(await compiled(), before);
  });

  it('fail where they are imported and are no TypeScript, and are named', async () => {
    await write('deep/other.ts', 'const one = 1;\nconst = 2;\n');
    const tree = await compiled();
    const fault = `${path.join(root, 'deep/other.ts')}:2: `;
    assert.ok((await readFile(path.join(tree, 'faults.txt'), 'utf8')).startsWith(fault));
    assert.match((await started(tree)).stdout, /^\[3,/);
    await assert.rejects(run(process.execPath, [path.join(tree, 'deep/other.js')]), (error) => {
      return String(error).includes(`SyntaxError: ${fault}`);
    });
  });

  it('are one tree for all who start at once', async () => {
    const trees = await Promise.all(Array.from({ length: 4 }, compiled));
    assert.equal(new Set(trees).size, 1);
    const [tree = ''] = trees;
    assert.deepEqual(await readdir(path.dirname(tree)), [path.basename(tree)]);
    assert.match((await started(tree)).stdout, /^\[3,/);
  });
});
