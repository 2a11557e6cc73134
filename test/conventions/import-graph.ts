import path from 'node:path';
import ts from 'typescript';
import type { SourceText } from './repeated-blocks.js';

/** The sources that each source imports or re-exports, types included; names are paths from the root of the project. */
export function importGraph(
  sources: readonly SourceText[],
): ReadonlyMap<string, readonly string[]> {
  const graph = sources.map(({ name, text }) => {
    const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest);
    return [name, importsOf(file)] as const;
  });
  return new Map(graph);
}

/** The files that a file imports or re-exports, types included; each by both names that its source may have. */
export function importsOf(file: ts.SourceFile): readonly string[] {
  const targets: string[] = [];
  const visit = (node: ts.Node): void => {
    const target = targetOf(node);
    if (target && ts.isStringLiteralLike(target)) targets.push(target.text);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return targets
    .filter((target) => target.startsWith('.'))
    .map((target) => path.posix.join(path.posix.dirname(file.fileName), target))
    .flatMap((target) => ['.ts', '.tsx'].map((ending) => target.replace(/\.js$/, ending)));
}

/** What names the module, in a node that imports one. */
function targetOf(node: ts.Node): ts.Node | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return node.moduleSpecifier;
  if (ts.isImportTypeNode(node)) {
    return ts.isLiteralTypeNode(node.argument) ? node.argument.literal : undefined;
  }
  const isCall = ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword;
  return isCall ? node.arguments[0] : undefined;
}
