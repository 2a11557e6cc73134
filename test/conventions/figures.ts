import ts from 'typescript';
import { cyclesIn } from './cycles.js';
import { importsOf } from './import-graph.js';
import { repeatedBlocks, type RepeatedBlock, type SourceText } from './repeated-blocks.js';

/** A place that a figure counts. */
export interface Finding {
  readonly name: string;
  readonly what: string;
}

/** The size of a room. */
export interface RoomFigures {
  readonly room: string;
  readonly files: number;
  readonly lines: number;
}

/** The figures of the whole house. */
export interface HouseFigures {
  readonly rooms: readonly RoomFigures[];
  readonly files: number;
  readonly lines: number;
  readonly median: number;
  readonly longest: Finding;
  readonly longFiles: readonly Finding[];
  readonly shortFiles: readonly Finding[];
  readonly longFunctions: readonly Finding[];
  readonly thinFiles: readonly Finding[];
  readonly cycles: readonly Finding[];
  readonly blocks: readonly RepeatedBlock[];
  /** Share of lines that contain only a comment, in percent. */
  readonly commentShare: number;
  readonly anys: readonly Finding[];
}

/** What the house aims at: lines of a file and of a function, and what counts as a short or thin file. */
export const AIMS = { file: 450, function: 60, short: 30, thin: 40 } as const;

interface Measured extends SourceText {
  readonly lines: number;
  readonly commentLines: number;
  readonly imports: readonly string[];
  readonly longFunctions: readonly Finding[];
  readonly anys: readonly Finding[];
}

/** Measures source files. Their names are paths from the root of the project. */
export function figuresOf(sources: readonly SourceText[]): HouseFigures {
  const files = sources.map(measured);
  const byLength = [...files].sort((a, b) => a.lines - b.lines);
  const longest = byLength.at(-1);
  const lines = sum(files.map((file) => file.lines));
  const sized = ({ name, lines: length }: Measured): Finding => ({ name, what: `${length} lines` });
  return {
    rooms: roomsOf(files),
    files: files.length,
    lines,
    median: byLength[Math.floor(byLength.length / 2)]?.lines ?? 0,
    longest: longest ? sized(longest) : { name: '', what: '0 lines' },
    longFiles: files.filter((file) => file.lines > AIMS.file).map(sized),
    shortFiles: files.filter((file) => file.lines < AIMS.short).map(sized),
    longFunctions: files.flatMap((file) => file.longFunctions),
    thinFiles: thinFiles(files),
    cycles: cyclesOf(files),
    blocks: repeatedBlocks(sources),
    commentShare: lines === 0 ? 0 : (100 * sum(files.map((file) => file.commentLines))) / lines,
    anys: files.flatMap((file) => file.anys),
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

function measured({ name, text }: SourceText): Measured {
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
  const longFunctions: Finding[] = [];
  const anys: Finding[] = [];
  const lineOf = (position: number) => file.getLineAndCharacterOfPosition(position).line + 1;
  const visit = (node: ts.Node): void => {
    const line = lineOf(node.getStart(file));
    if (node.kind === ts.SyntaxKind.AnyKeyword) anys.push({ name, what: `line ${line}` });
    if (ts.isFunctionLike(node)) {
      const length = lineOf(node.end) - line + 1;
      const what = `line ${line}: ${length} lines`;
      if (length > AIMS.function) longFunctions.push({ name, what });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return {
    name,
    text,
    lines: text.split('\n').length - (text.endsWith('\n') ? 1 : 0),
    commentLines: commentLines(text),
    imports: importsOf(file),
    longFunctions,
    anys,
  };
}

/** Counts the lines that contain only a comment. */
function commentLines(text: string): number {
  let isOpen = false;
  return text.split('\n').filter((line) => {
    const start = line.trim();
    const isComment = isOpen || start.startsWith('//') || start.startsWith('/*');
    if (isOpen ? start.includes('*/') : start.startsWith('/*')) isOpen = !start.includes('*/');
    return isComment;
  }).length;
}

function roomsOf(files: readonly Measured[]): readonly RoomFigures[] {
  const rooms = new Map<string, Measured[]>();
  for (const file of files) {
    const room = file.name.split('/')[0] ?? '';
    rooms.set(room, [...(rooms.get(room) ?? []), file]);
  }
  return [...rooms]
    .map(([room, its]) => ({ room, files: its.length, lines: sum(its.map(({ lines }) => lines)) }))
    .sort((a, b) => (a.room < b.room ? -1 : 1));
}

/** Short files with a single importer, which may be the better place for them. */
function thinFiles(files: readonly Measured[]): readonly Finding[] {
  const importers = new Map<string, Set<string>>();
  for (const { name, imports } of files) {
    for (const target of imports) {
      importers.set(target, (importers.get(target) ?? new Set()).add(name));
    }
  }
  return files.flatMap(({ name, lines }) => {
    const its = [...(importers.get(name) ?? [])];
    const isThin = its.length === 1 && lines < AIMS.thin;
    return isThin ? [{ name, what: `${lines} lines, for ${its.join()}` }] : [];
  });
}

/** Groups of files that import each other, directly or by way of others (Tarjan's algorithm). */
function cyclesOf(files: readonly Measured[]): readonly Finding[] {
  const graph = new Map(files.map(({ name, imports }) => [name, imports]));
  return cyclesIn(graph).map(([name = '', ...others]) => ({
    name,
    what: `with ${others.join(', ')}`,
  }));
}
