/**
 * Prints the size of each room and whether the house meets its aims. Counts product source: what git tracks,
 * without tests, benchmarks and examples. Sizes stand beside those of the last tag. Usage: `npm run house`, with `--all`
 * for all findings, `--against <commit>` for another commit than the last tag.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { AIMS, figuresOf, type Finding, type HouseFigures } from './figures.js';

const ROOT = path.resolve(import.meta.dirname, '../..');
const ELSEWHERE = /^(test|bench|examples)\//;
const { values: FLAGS } = parseArgs({
  options: { all: { type: 'boolean', default: false }, against: { type: 'string' } },
});
const SHOWN = FLAGS.all ? Infinity : 5;

/** One line of the report and the findings behind it. */
interface Row {
  readonly figure: string;
  readonly is: string;
  readonly aim: string;
  readonly isMet: boolean;
  readonly findings?: readonly Finding[];
}

const TYPESCRIPT = ['*/*.ts', '*/*.tsx'];

function git(...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 2 ** 26 });
}

interface Size {
  readonly files: number;
  readonly lines: number;
}

/** Counts files and lines of a commit, or of what git tracks now. */
function sizeOf(isCounted: (name: string) => boolean, commit?: string): Size {
  const at = commit === undefined ? [] : [commit];
  const counts = git('grep', '-c', '', ...at, '--', ...TYPESCRIPT)
    .split('\n')
    .map((line) => line.slice(commit === undefined ? 0 : commit.length + 1).split(':'))
    .filter(([name = '']) => isCounted(name));
  return { files: counts.length, lines: counts.reduce((sum, [, n]) => sum + Number(n), 0) };
}

function lastTag(): string | undefined {
  const tags = git('tag', '--list', '--sort=-creatordate', '--merged').trim();
  return tags === '' ? undefined : tags.split('\n')[0];
}

/** Prints what the product and its tests measure, beside the same of an earlier commit. */
function printGrowth(): void {
  const commit = FLAGS.against ?? lastTag();
  const growth = ({ files, lines }: Size, before: Size | undefined) =>
    before === undefined
      ? `${files} files, ${lines} lines`
      : `${files} files (${before.files}), ${lines} lines (${before.lines})`;
  const parts = [
    ['product', (name: string) => !ELSEWHERE.test(name) && name !== ''],
    ['tests', (name: string) => name.startsWith('test/')],
  ] as const;
  console.log(commit === undefined ? 'no tag to compare with' : `(in brackets: at ${commit})`);
  for (const [part, isCounted] of parts) {
    const before = commit === undefined ? undefined : sizeOf(isCounted, commit);
    console.log(`${part}: ${growth(sizeOf(isCounted), before)}`);
  }
  console.log('');
}

function sources() {
  return git('ls-files', '-z', ...TYPESCRIPT)
    .split('\0')
    .filter((name) => name !== '' && !ELSEWHERE.test(name) && existsSync(path.join(ROOT, name)))
    .map((name) => ({ name, text: readFileSync(path.join(ROOT, name), 'utf8') }));
}

/** A figure that counts findings. */
function counted(figure: string, findings: readonly Finding[], most: number, aim = `${most}`): Row {
  return { figure, is: String(findings.length), aim, isMet: findings.length <= most, findings };
}

function rowsOf(figures: HouseFigures): readonly Row[] {
  const { files, median, commentShare, longest } = figures;
  const fewFiles = Math.floor(files / 10);
  const blocks = figures.blocks.map(({ first, second }) => ({
    name: `${first.name}:${first.from}-${first.to}`,
    what: `${second.name}:${second.from}-${second.to}`,
  }));
  return [
    {
      figure: 'median of lines',
      is: String(median),
      aim: '70 to 130',
      isMet: median >= 70 && median <= 130,
    },
    {
      figure: 'longest file',
      is: `${longest.what} (${longest.name})`,
      aim: `at most ${AIMS.file}`,
      isMet: figures.longFiles.length === 0,
    },
    counted(`files over ${AIMS.file} lines`, figures.longFiles, 0),
    counted(`functions over ${AIMS.function} lines`, figures.longFunctions, 0),
    counted(`files under ${AIMS.short} lines`, figures.shortFiles, fewFiles, 'few: 10 %'),
    counted(`one importer, under ${AIMS.thin} lines`, figures.thinFiles, fewFiles, 'few: 10 %'),
    counted('import cycles, types included', figures.cycles, 0),
    counted('repeated blocks', blocks, 0),
    {
      figure: 'comment lines',
      is: `${commentShare.toFixed(1)} %`,
      aim: '10 to 20 %',
      isMet: commentShare >= 10 && commentShare <= 20,
    },
    counted('uses of any', figures.anys, 0),
  ];
}

function print(figures: HouseFigures): void {
  console.log('room               files   lines');
  const total = { room: 'all', files: figures.files, lines: figures.lines };
  for (const { room, files, lines } of [...figures.rooms, total]) {
    console.log(`${room.padEnd(18)} ${String(files).padStart(5)} ${String(lines).padStart(7)}`);
  }
  console.log('');
  for (const { figure, is, aim, isMet, findings = [] } of rowsOf(figures)) {
    console.log(`${isMet ? 'met    ' : 'not met'}  ${figure}: ${is} (aim: ${aim})`);
    const shown = isMet && SHOWN === 5 ? [] : findings.slice(0, SHOWN);
    for (const { name, what } of shown) console.log(`           ${name}  ${what}`);
    const left = isMet ? 0 : findings.length - shown.length;
    if (left > 0) console.log(`           and ${left} more`);
  }
}

printGrowth();
print(figuresOf(sources()));
