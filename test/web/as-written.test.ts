import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import ReactMarkdown from 'react-markdown';
import { asWritten } from '../../web/src/state/as-written.js';

function htmlOf(children: string): string {
  return renderToStaticMarkup(
    createElement(ReactMarkdown, { skipHtml: true, remarkPlugins: [asWritten], children }),
  );
}

/** The words that a page shows of a text, without its tags. */
function shown(children: string): string {
  const text = htmlOf(children)
    .replaceAll(/<br\/>\n?/g, '\n')
    .replaceAll(/<\/?[a-z][^<>]*>/g, '');
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&').trim();
}

describe('a text of an agent', () => {
  for (const text of [
    'cp <a> <b> && rm -rf <c>',
    'rm -rf *cache* *tmp*',
    'rm */*.log **/*.tmp',
    'python -m __main__',
    'find . -exec rm {} \\; now',
    'del C:\\.ssh',
    'rm a \\\nb',
    '[a](ftp://elsewhere.example/x)',
    '[-rf](/)',
  ]) {
    it(`is shown with all of its words: ${JSON.stringify(text)}`, () => {
      assert.equal(shown(text), text);
    });
  }

  it('is shown with what is escaped in a quotation', () => {
    assert.equal(shown('> one \\* two\n> and \\; three'), 'one \\* two\nand \\; three');
  });

  it('is shown with titles of links', () => {
    const text = '[a](https://one.example/ "rm -rf")';
    assert.equal(shown(text), text.replaceAll('"', '&quot;'));
  });

  it('is shown with the word that begins a block, unless that names a language', () => {
    assert.equal(shown('```rm\n-rf /\n```'), 'rm\n-rf /');
    assert.equal(shown('```sh -x\nls\n```'), 'sh -x\nls');
    assert.equal(shown('```json\n{}\n```'), '{}');
  });

  it('keeps its emphasis, with the marks of it', () => {
    assert.equal(shown('**Mind:** do *not* send'), '**Mind:** do *not* send');
    assert.match(htmlOf('**Mind**'), /<strong>.*Mind.*<\/strong>/);
  });

  it('has its marks and what escapes apart from its words', () => {
    const marks = (text: string) =>
      [...htmlOf(text).matchAll(/<span data-mark="">(.*?)<\/span>/g)].map(([, mark]) => mark);
    assert.deepEqual(marks('**Mind:** do _not_ send'), ['**', '**', '_', '_']);
    assert.deepEqual(marks('rm a\\\\b \\*.log C:\\temp'), ['\\', '\\']);
    assert.deepEqual(marks('rm a \\\nb'), ['\\']);
  });
});
