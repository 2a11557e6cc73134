/**
 * Prints the size of each room and whether the house meets its aims. Counts product source: what git tracks,
 * without tests, benchmarks and examples. Usage: `npm run house`, or `npm run house -- --all` for all
 * findings.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { AIMS, figuresOf, type Finding, type HouseFigures } from './figures.js';

const ROOT = path.resolve(import.meta.dirname, '../..');
const ELSEWHERE = /^(test|bench|examples)\//;
const SHOWN = process.argv.includes('--all') ? Infinity : 5;

/** One line of the report and the findings behind it. */
interface Row {
  readonly figure: string;
  readonly is: string;
  readonly aim: string;
  readonly isMet: boolean;
  readonly findings?: readonly Finding[];
}

function sources() {
  return execFileSync('git', ['ls-files', '-z', '*/*.ts', '*/*.tsx'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
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
    counted('exports without a comment', figures.undocumented, 0, '0 in domain, contracts'),
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

print(figuresOf(sources()));
