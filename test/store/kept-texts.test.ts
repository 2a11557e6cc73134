import assert from 'node:assert/strict';
import { CompiledQuery } from 'kysely';
import { describe, it } from 'mocha';
import { KeptTexts } from '../../store/kept-texts.js';

describe('a statement whose text is kept', () => {
  function compiling(parameters: readonly unknown[]) {
    const compiled: number[] = [];
    const build = () => {
      compiled.push(parameters.length);
      return { compile: () => CompiledQuery.raw('insert …', [...parameters]) };
    };
    return { build, compiled };
  }

  it('is compiled once for each number of rows, and takes the values of each call', () => {
    const texts = new KeptTexts();
    const { build, compiled } = compiling(['a', 1, 'always']);
    const first = texts.statement(1, ['a', 1], build).compile();
    const second = texts.statement(1, ['b', 2], build).compile();
    assert.deepEqual(first.parameters, ['a', 1, 'always']);
    assert.deepEqual(second.parameters, ['b', 2, 'always']);
    assert.equal(second.sql, 'insert …');
    assert.deepEqual(compiled, [3]);
    const more = compiling(['b', 2, 'c', 3, 'always']);
    texts.statement(2, ['b', 2, 'c', 3], more.build).compile();
    assert.deepEqual(more.compiled, [5]);
  });

  it('is no statement that begins with other parameters, or has none for a value', () => {
    const { build } = compiling(['b', 'a']);
    assert.throws(() => new KeptTexts().statement(1, ['a', 'b'], build).compile(), TypeError);
    assert.throws(() => new KeptTexts().statement(1, ['a', undefined], build), TypeError);
  });

  it('is compiled each time for a large batch', () => {
    const texts = new KeptTexts();
    const { build, compiled } = compiling(['a']);
    for (let time = 0; time < 2; time += 1) texts.statement(17, ['a'], build).compile();
    assert.equal(compiled.length, 2);
  });
});
