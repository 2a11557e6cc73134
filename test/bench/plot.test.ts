import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { plotThroughput } from '../../bench/plot.js';

/** The points of each line, left to right. */
function linesOf(svg: string): number[][][] {
  return [...svg.matchAll(/points="([^"]*)"/g)].map(([, points = '']) =>
    points.split(' ').map((point) => point.split(',').map(Number)),
  );
}

describe('the plot of throughput against clients', () => {
  const svg = plotThroughput([
    {
      label: 'bare workflow',
      points: [
        [1, 10],
        [4, 40],
        [16, 40],
      ],
    },
    {
      label: 'an intent',
      points: [
        [1, 5],
        [4, NaN],
        [16, 20],
      ],
    },
  ]);
  const [bare = [], intent = []] = linesOf(svg);

  it('makes each doubling of clients as wide', () => {
    const [one = NaN, four = NaN, sixteen = NaN] = bare.map(([x]) => x ?? NaN);
    assert.ok(Math.abs(four - one - (sixteen - four)) < 0.2);
  });

  it('goes up with the rate, on one scale for all lines', () => {
    const [first, second, third] = bare.map(([, y]) => y);
    assert.equal(second, third);
    assert.ok((first ?? 0) > (second ?? 0));
    assert.ok((intent.at(-1)?.[1] ?? 0) > (third ?? 0));
  });

  it('leaves out what was not measured, and names each line', () => {
    assert.equal(intent.length, 2);
    assert.ok(svg.includes('>bare workflow<') && svg.includes('>an intent<'));
  });
});
