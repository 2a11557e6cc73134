import assert from 'node:assert/strict';
import { cyclesIn } from './cycles.js';
import { importGraph } from './import-graph.js';

describe('the graph of imports', () => {
  for (const [how, line] of [
    ['an import', `import { b } from './b.js';`],
    ['an import for its effects', `import './b.js';`],
    ['an import of types', `import type { B } from './b.js';`],
    ['an import of one type', `import { type B } from './b.js';`],
    ['an import within a type', `type B = import('./b.js').B;`],
    ['an import that comes later', `const b = await import('./b.js');`],
    ['a re-export', `export { b } from './b.js';`],
    ['a re-export of types', `export type { B } from './b.js';`],
    ['a re-export of everything', `export * from './b.js';`],
    ['a re-export under a name', `export * as b from './b.js';`],
  ] as const) {
    it(`shows a circle that ${how} closes`, () => {
      const graph = importGraph([
        { name: 'room/a.ts', text: line },
        { name: 'room/b.tsx', text: `import { c } from '../hall/c.js';` },
        { name: 'hall/c.ts', text: `import { a } from '../room/a.js';` },
        { name: 'hall/d.ts', text: `import { a } from '../room/a.js';` },
      ]);
      assert.deepEqual(cyclesIn(graph), [['room/a.ts', 'room/b.tsx', 'hall/c.ts']]);
    });
  }

  it('passes over texts and comments', () => {
    const text = `const text = "import { b } from './b.js'"; // import './b.js';`;
    const back = { name: 'b.ts', text: `import { a } from './a.js';` };
    assert.deepEqual(cyclesIn(importGraph([{ name: 'a.ts', text }, back])), []);
  });
});
