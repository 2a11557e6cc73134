import assert from 'node:assert/strict';
import { asMarkdown, shortened, summaryOf } from '../../../domain/kernel/text.js';

describe('a text in Markdown', () => {
  it('shows each special character as it is', () => {
    for (const character of '\\`*_[]<>#|') {
      assert.equal(asMarkdown(`a${character}b`), `a\\${character}b`);
    }
  });

  it('is one line without spaces around it', () => {
    assert.equal(asMarkdown(' a\r\n\r\n  b\tc\n'), 'a b c');
  });

  it('keeps all other characters', () => {
    const plain = 'Refund 12.50 € to (Jo) {now}, + more - "later"! é 😀';
    assert.equal(asMarkdown(plain), plain);
  });
});

describe('a shortened id [R25-100]', () => {
  it('has its first eight characters', () => {
    assert.equal(shortened('3f0c1b9e-6a55-4a3e-9a52-2f5d8f1b7c11'), '3f0c1b9e…');
  });
});

describe('the summary of a workflow', () => {
  const bytesAsJson = (text: string) => Buffer.byteLength(JSON.stringify(text));

  it('keeps a text that takes 300 bytes as JSON', () => {
    const text = 'x'.repeat(298);
    assert.deepEqual([bytesAsJson(text), summaryOf(text)], [300, text]);
  });

  it('cuts a text that takes more', () => {
    assert.equal(summaryOf('x'.repeat(299)), `${'x'.repeat(298)}…`);
  });

  it('counts characters as JSON writes them', () => {
    assert.equal(summaryOf('"'.repeat(149)), '"'.repeat(149));
    assert.equal(summaryOf('"'.repeat(150)), `${'"'.repeat(149)}…`);
  });
});
