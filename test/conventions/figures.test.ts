import assert from 'node:assert/strict';
import { figuresOf } from './figures.js';
import { repeatedBlocks } from './repeated-blocks.js';

const BLOCK = Array.from(
  { length: 8 },
  (_, i) => `  use(first[${i}], 'text', second.${'abc'[i % 3]});`,
);
const inFunction = (name: string, lines: readonly string[]): string =>
  [`export function ${name}() {`, ...lines, '}', ''].join('\n');

describe('house figures', () => {
  it('find a block that stands in two files, and where', () => {
    const one = { name: 'a.ts', text: inFunction('one', BLOCK) };
    const two = { name: 'b.ts', text: `// Another file.\n${inFunction('two', BLOCK)}` };
    const [block, ...others] = repeatedBlocks([one, two]);
    assert.deepEqual(others, []);
    assert.equal(block?.first.name, 'a.ts');
    assert.equal(block.second.name, 'b.ts');
    assert.ok(block.second.from <= 3 && block.second.to >= 10);
  });

  it('find a block that stands twice in one file', () => {
    const text = inFunction('one', BLOCK) + inFunction('two', BLOCK);
    assert.equal(repeatedBlocks([{ name: 'a.ts', text }]).length, 1);
  });

  it('pass over imports, comments and code with other names', () => {
    const imports = BLOCK.map((_, i) => `import { a${i}, b${i}, c${i} } from './m${i}.js';`).join(
      '\n',
    );
    const comments = BLOCK.map((line) => `/** ${line} */`).join('\n');
    const renamed = BLOCK.map((line) => line.replace('second', 'third'));
    const files = [
      { name: 'a.ts', text: `${imports}\n${comments}\n${inFunction('one', BLOCK)}` },
      { name: 'b.ts', text: `${imports}\n${comments}\n${inFunction('two', renamed)}` },
    ];
    assert.deepEqual(repeatedBlocks(files), []);
  });

  it('count lines, comments, long functions and any', () => {
    const text = `/**\n * Says why.\n */\n${inFunction('long', [...Array.from({ length: 60 }, () => '  use(1 as any);')])}`;
    const figures = figuresOf([{ name: 'domain/a.ts', text }]);
    assert.deepEqual(figures.rooms, [{ room: 'domain', files: 1, lines: 65 }]);
    assert.equal(figures.longest.what, '65 lines');
    assert.deepEqual(figures.longFunctions, [{ name: 'domain/a.ts', what: 'line 4: 62 lines' }]);
    assert.equal(figures.anys.length, 60);
    assert.equal(figures.commentShare, 300 / 65);
    assert.deepEqual(figures.undocumented, []);
  });

  it('find files that import each other for their types alone', () => {
    const figures = figuresOf([
      { name: 'a/one.ts', text: `import type { B } from '../b/two.js';\nexport type A = B;\n` },
      { name: 'b/two.ts', text: `import type { C } from './three.js';\nexport type B = C;\n` },
      { name: 'b/three.ts', text: `import type { A } from '../a/one.js';\nexport type C = A;\n` },
      { name: 'b/four.ts', text: `import type { A } from '../a/one.js';\nexport type D = A;\n` },
    ]);
    assert.deepEqual(figures.cycles, [{ name: 'a/one.ts', what: 'with b/two.ts, b/three.ts' }]);
  });

  it('follow imports into files with components', () => {
    const figures = figuresOf([
      { name: 'web/one.ts', text: `import { Two } from './Two.js';\nexport const one = Two;\n` },
      { name: 'web/Two.tsx', text: `import { one } from './one.js';\nexport const Two = one;\n` },
    ]);
    assert.deepEqual(figures.cycles, [{ name: 'web/one.ts', what: 'with web/Two.tsx' }]);
    assert.deepEqual(
      figures.thinFiles.map(({ name }) => name),
      ['web/one.ts', 'web/Two.tsx'],
    );
  });

  it('find short files that one other file imports', () => {
    const figures = figuresOf([
      {
        name: 'a.ts',
        text: `import { b } from './b.js';\nimport { c } from './c.js';\nuse(b, c);\n`,
      },
      { name: 'b.ts', text: `import { c } from './c.js';\nexport const b = c;\n` },
      { name: 'c.ts', text: `export const c = 1;\n` },
    ]);
    assert.deepEqual(figures.thinFiles, [{ name: 'b.ts', what: '2 lines, for a.ts' }]);
  });

  it('find exports of the domain that nothing documents', () => {
    const text = `/** One. */\nexport const one = 1;\nexport const two = 2;\nconst three = 3;\nuse(three);\n`;
    const figures = figuresOf([
      { name: 'domain/a.ts', text },
      { name: 'store/a.ts', text },
    ]);
    assert.deepEqual(figures.undocumented, [{ name: 'domain/a.ts', what: 'line 3' }]);
  });
});
