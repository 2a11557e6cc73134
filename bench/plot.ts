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
  const step = stepFor(most);
  const ticks = Array.from({ length: Math.floor(most / step) + 1 }, (_, i) => i * step).map((ms) =>
    text(x(ms), HEIGHT - BOTTOM + 18, `${ms} ms`, 'middle'),
  );
  return svg([
    ...SHARES.map((share) => gridLine(y(share), `${share * 100} %`)),
    ...ticks,
    ...series.map(({ samples }, i) => line(samples, i, x, y)),
    ...legend(series),
  ]);
}

/** What so many clients reach a second: pairs of clients and rate, in the order of the clients. */
export interface Rising {
  readonly label: string;
  readonly points: readonly (readonly [number, number])[];
}

/** Throughput against clients, as an SVG with one line for each kind of work; each doubling of clients is as wide. */
export function plotThroughput(lines: readonly Rising[]): string {
  const known = lines.map(({ label, points }) => ({
    label,
    points: points.filter(([, rate]) => !Number.isNaN(rate)),
  }));
  const all = known.flatMap(({ points }) => points);
  const most = Math.max(1, ...all.map(([, rate]) => rate)) * 1.05;
  const counts = [...new Set(all.map(([clients]) => clients))].sort((a, b) => a - b);
  const doublings = Math.max(1, Math.log2(counts.at(-1) ?? 1));
  const x = (clients: number): number =>
    LEFT + (Math.log2(clients) / doublings) * (WIDTH - LEFT - RIGHT);
  const y = (rate: number): number => HEIGHT - BOTTOM - (rate / most) * (HEIGHT - BOTTOM - TOP);
  const step = stepFor(most);
  const rates = Array.from({ length: Math.floor(most / step) + 1 }, (_, i) => i * step);
  return svg([
    ...rates.map((rate) => gridLine(y(rate), `${rate}/s`)),
    ...counts.map((clients) => text(x(clients), HEIGHT - BOTTOM + 18, String(clients), 'middle')),
    ...known.map(({ points }, i) =>
      polyline(
        points.map(([c, rate]) => [x(c), y(rate)]),
        i,
      ),
    ),
    ...legend(known),
  ]);
}

function svg(parts: readonly string[]): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#ffffff"/>`,
    ...parts,
    '</svg>\n',
  ].join('\n');
}

function gridLine(at: number, label: string): string {
  const rule = `<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${at}" y2="${at}" stroke="#e5e7eb"/>`;
  return rule + text(LEFT - 8, at + 4, label, 'end');
}

function legend(lines: readonly { readonly label: string }[]): string[] {
  return lines.map(({ label }, i) => {
    const at = HEIGHT - BOTTOM + 42 + i * 16;
    return `<rect x="${LEFT}" y="${at - 8}" width="18" height="3" fill="${colourOf(i)}"/>${text(LEFT + 26, at - 3, label, 'start')}`;
  });
}

function line(
  samples: readonly number[],
  index: number,
  x: (ms: number) => number,
  y: (share: number) => number,
): string {
  const sorted = [...samples].sort((a, b) => a - b);
  return polyline(
    sorted.map((ms, i) => [x(ms), y((i + 1) / sorted.length)] as const),
    index,
  );
}

function polyline(points: readonly (readonly [number, number])[], index: number): string {
  const path = points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ');
  return `<polyline fill="none" stroke="${colourOf(index)}" stroke-width="2" points="${path}"/>`;
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
