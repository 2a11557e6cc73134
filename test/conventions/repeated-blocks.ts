import ts from 'typescript';

/** A source file as text. */
export interface SourceText {
  readonly name: string;
  readonly text: string;
}

/** Lines of one file, counted from 1. */
interface Place {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/** The same code at two places. */
export interface RepeatedBlock {
  readonly first: Place;
  readonly second: Place;
}

/** A run of equal tokens counts from this length on. */
const TOKENS = 50;
const LINES = 6;

/** A file as numbers: an id for each token, and its line. */
interface Tokens {
  readonly name: string;
  readonly ids: readonly number[];
  readonly lines: readonly number[];
}

interface Start {
  readonly file: Tokens;
  readonly at: number;
}

/**
 * Finds code that stands twice, equal in all but spacing and comments. Imports do not count. Reports each
 * block once, with the first place that it repeats.
 */
export function repeatedBlocks(sources: readonly SourceText[]): readonly RepeatedBlock[] {
  const known = new Map<string, number>();
  const windows = new Map<number, Start>();
  const blocks: RepeatedBlock[] = [];
  for (const file of sources.map((source) => tokensOf(source, known))) {
    let next = 0;
    for (const [at, hash] of hashesOf(file.ids).entries()) {
      const earlier = windows.get(hash);
      if (earlier === undefined) {
        windows.set(hash, { file, at });
        continue;
      }
      if (at < next) continue;
      const length = sharedLength(earlier, { file, at });
      const block = {
        first: placeOf(earlier, length),
        second: placeOf({ file, at }, length),
      };
      if (length < TOKENS || lengthOf(block.second) < LINES) continue;
      blocks.push(block);
      next = at + length;
    }
  }
  return blocks;
}

function tokensOf({ name, text }: SourceText, known: Map<string, number>): Tokens {
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
  const ids: number[] = [];
  const lines: number[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) return;
    const children = node.getChildren(file);
    if (children.length > 0) {
      // A documentation comment is a child node of what it documents.
      for (const child of children) if (!ts.isJSDoc(child)) visit(child);
      return;
    }
    const token = node.getText(file);
    if (token === '') return;
    const id = known.get(token) ?? known.size;
    known.set(token, id);
    ids.push(id);
    lines.push(file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1);
  };
  visit(file);
  return { name, ids, lines };
}

/** Returns the hash of each run of `TOKENS` tokens, by its start. */
function hashesOf(ids: readonly number[]): readonly number[] {
  const base = 1_000_003;
  let leading = 1;
  for (let i = 1; i < TOKENS; i++) leading = Math.imul(leading, base);
  const hashes: number[] = [];
  let hash = 0;
  for (const [at, id] of ids.entries()) {
    const leaving = at >= TOKENS ? (ids[at - TOKENS] ?? 0) + 1 : 0;
    hash = Math.imul(hash - Math.imul(leaving, leading), base) + id + 1;
    if (at >= TOKENS - 1) hashes.push(hash | 0);
  }
  return hashes;
}

/** Returns how many tokens two places share. Within one file they may not overlap. */
function sharedLength(first: Start, second: Start): number {
  const most = first.file === second.file ? second.at - first.at : Infinity;
  let length = 0;
  while (length < most) {
    const id = second.file.ids[second.at + length];
    if (id === undefined || id !== first.file.ids[first.at + length]) break;
    length += 1;
  }
  return length;
}

function placeOf({ file, at }: Start, length: number): Place {
  const from = file.lines[at] ?? 0;
  return { name: file.name, from, to: file.lines[at + length - 1] ?? from };
}

function lengthOf({ from, to }: Place): number {
  return to - from + 1;
}
