import { percentile } from './statistics.js';

/** One line of the plot. */
export interface Series {
  readonly label: string;
  /** Milliseconds. */
  readonly samples: readonly number[];
}

const WIDTH = 760;
const HEIGHT = 376;
const LEFT = 56;
const RIGHT = 24;
const TOP = 24;
const BOTTOM = 112;
const COLOURS = ['#6b7280', '#a8a29e', '#2563eb', '#059669', '#d97706'];
const SHARES = [0, 0.25, 0.5, 0.75, 0.95, 1];

/** The share of samples within so many milliseconds, as an SVG with one step line for each series. */
export function plotDistributions(series: readonly Series[]): string {
  const most = Math.max(...series.map(({ samples }) => percentile(samples, 0.99))) * 1.05;
  const x = (ms: number): number => LEFT + (Math.min(ms, most) / most) * (WIDTH - LEFT - RIGHT);
  const y = (share: number): number => HEIGHT - BOTTOM - share * (HEIGHT - BOTTOM - TOP);
  const grid = SHARES.map(
    (share) =>
      `<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y(share)}" y2="${y(share)}" stroke="#e5e7eb"/>` +
      text(LEFT - 8, y(share) + 4, `${share * 100} %`, 'end'),
  );
  const step = stepFor(most);
  const ticks = Array.from({ length: Math.floor(most / step) + 1 }, (_, i) => i * step).map((ms) =>
    text(x(ms), HEIGHT - BOTTOM + 18, `${ms} ms`, 'middle'),
  );
  const lines = series.map(({ samples }, i) => line(samples, colourOf(i), x, y));
  const legend = series.map(({ label }, i) => {
    const at = HEIGHT - BOTTOM + 42 + i * 16;
    return `<rect x="${LEFT}" y="${at - 8}" width="18" height="3" fill="${colourOf(i)}"/>${text(LEFT + 26, at - 3, label, 'start')}`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#ffffff"/>`,
    ...grid,
    ...ticks,
    ...lines,
    ...legend,
    '</svg>\n',
  ].join('\n');
}

function line(
  samples: readonly number[],
  colour: string,
  x: (ms: number) => number,
  y: (share: number) => number,
): string {
  const sorted = [...samples].sort((a, b) => a - b);
  const points = sorted.map(
    (ms, i) => `${x(ms).toFixed(1)},${y((i + 1) / sorted.length).toFixed(1)}`,
  );
  return `<polyline fill="none" stroke="${colour}" stroke-width="2" points="${points.join(' ')}"/>`;
}

function stepFor(most: number): number {
  const step = [5, 10, 20, 50, 100, 200, 500].find((each) => most / each <= 10);
  return step ?? 1_000;
}

function colourOf(index: number): string {
  return COLOURS[index % COLOURS.length] ?? '#000000';
}

function text(x: number, y: number, content: string, anchor: 'start' | 'middle' | 'end'): string {
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}" fill="#374151">${content}</text>`;
}
