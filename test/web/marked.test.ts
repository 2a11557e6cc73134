import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { marked, type Piece } from '../../web/src/state/list/marked.js';
import { anyText } from '../support/any-text.js';

function textOf(pieces: readonly Piece[]): string {
  return pieces.map((piece) => ('pieces' in piece ? textOf(piece.pieces) : piece.text)).join('');
}

/** The pieces as a short text: `<strong>` and the like around them, marks in braces. */
function shapeOf(pieces: readonly Piece[]): string {
  return pieces
    .map((piece) => {
      if ('pieces' in piece) {
        const to = piece.href === undefined ? '' : ` ${piece.href}`;
        return `<${piece.kind}${to}>${shapeOf(piece.pieces)}</${piece.kind}>`;
      }
      if (piece.kind === 'text') return piece.text;
      return piece.kind === 'mark' ? `{${piece.text}}` : `<code>${piece.text}</code>`;
    })
    .join('');
}

describe('a text that is declared as Markdown', () => {
  it('keeps every character, whatever it is', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        assert.equal(textOf(marked(text)), text);
      }),
      { numRuns: 2_000 },
    );
  });

  for (const text of [
    'Do\n3. first\n7. then\n12. last',
    '> rm -rf\n- a\n+ b\n# c\n---\nd',
    'Pay &#49;00 &amp; go',
    'cp <a> <b> && rm -rf <c> <!-- all -->',
    'rm */*.log **/*.tmp',
    '-- keep fax\nALTER TABLE t DROP pager',
    'del C:\\.ssh \\\nnow',
    '[x]: /etc/passwd\n\n![secret](https://spy.example/x.png "title")',
  ]) {
    it(`stands as it was written: ${JSON.stringify(text)}`, () => {
      assert.equal(textOf(marked(text)), text);
    });
  }

  it('has the looks that were asked for, with the marks themselves apart', () => {
    assert.equal(
      shapeOf(marked('# Title\nDo **not** _yet_ `rm *`')),
      '<heading>{# }Title</heading>\nDo <strong>{**}not{**}</strong> <emphasis>{_}yet{_}</emphasis> <code>`rm *`</code>',
    );
  });

  it('links only where a link leads to a host, and shows all of its address', () => {
    assert.equal(
      shapeOf(
        marked('[bank](https://evil.example/a) <https://b.example> [x](/) [y](javascript:1)'),
      ),
      '<link https://evil.example/a>{[}bank{](https://evil.example/a)}</link> ' +
        '<link https://b.example>{<}https://b.example{>}</link> [x](/) [y](javascript:1)',
    );
  });

  it('takes no time or depth that its writer could choose', () => {
    for (const one of ['>', '*', '**a', '[', '![', '- ', '`', '<a ', '_a_', '&#', '](']) {
      const text = one.repeat(Math.floor(2_000 / one.length));
      const before = process.cpuUsage();
      assert.equal(textOf(marked(text)), text);
      const { user } = process.cpuUsage(before);
      assert.ok(user < 1_000_000, `${one}: ${user} µs`);
    }
  });
});
