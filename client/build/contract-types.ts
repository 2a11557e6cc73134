import ts from 'typescript';

/** Writes whole types, one member a line, with only the names in the scope of the declaration. */
const WRITTEN_OUT: ts.NodeBuilderFlags =
  ts.NodeBuilderFlags.NoTruncation |
  ts.NodeBuilderFlags.InTypeAlias |
  ts.NodeBuilderFlags.MultilineObjectLiterals;

/**
 * Makes the emitted declarations independent of zod: it writes out types that are inferred from a schema, and drops
 * the schemas.
 */
export function withoutSchemas(
  program: ts.Program,
): ts.TransformerFactory<ts.SourceFile | ts.Bundle> {
  const checker = program.getTypeChecker();
  return ({ factory }) =>
    (file) => {
      if (!ts.isSourceFile(file) || !importsZod(file)) return file;
      const kept = file.statements.flatMap((statement) => {
        if (isZodImport(statement) || ts.isVariableStatement(statement)) return [];
        if (!ts.isTypeAliasDeclaration(statement) || !isInferred(statement.type)) {
          return [statement];
        }
        const { name, modifiers, typeParameters, type } = statement;
        const source = ts.getOriginalNode(statement);
        const inferred = checker.getTypeFromTypeNode(ts.getOriginalNode(type) as ts.TypeNode);
        const written = checker.typeToTypeNode(inferred, source, WRITTEN_OUT);
        if (written === undefined) throw new Error(`${name.text} cannot be written out.`);
        const fitting = fittingIndexes(written, factory);
        return [
          factory.updateTypeAliasDeclaration(statement, modifiers, name, typeParameters, fitting),
        ];
      });
      return factory.updateSourceFile(file, withoutUnused(kept, factory));
    };
}

function withoutUnused(
  statements: readonly ts.Statement[],
  factory: ts.NodeFactory,
): readonly ts.Statement[] {
  const used = new Set<string>();
  const note = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) used.add(node.text);
    ts.forEachChild(node, note);
  };
  for (const statement of statements) if (!ts.isImportDeclaration(statement)) note(statement);
  return statements.flatMap((statement) => {
    if (!ts.isImportDeclaration(statement)) return [statement];
    const { importClause: clause, modifiers, moduleSpecifier, attributes } = statement;
    const names = clause?.namedBindings;
    if (clause === undefined || names === undefined || !ts.isNamedImports(names))
      return [statement];
    const kept = names.elements.filter(({ name }) => used.has(name.text));
    if (kept.length === 0) return [];
    const bindings = factory.updateNamedImports(names, kept);
    const { phaseModifier, name } = clause;
    const imported = factory.updateImportClause(clause, phaseModifier, name, bindings);
    return [
      factory.updateImportDeclaration(statement, modifiers, imported, moduleSpecifier, attributes),
    ];
  });
}

function isZodImport(statement: ts.Statement): boolean {
  return (
    ts.isImportDeclaration(statement) &&
    ts.isStringLiteral(statement.moduleSpecifier) &&
    statement.moduleSpecifier.text === 'zod'
  );
}

function importsZod(file: ts.SourceFile): boolean {
  return file.statements.some(isZodImport);
}

/** Adds `undefined` to the index signature of a type with an optional member, because members must fit the index signature. */
function fittingIndexes(type: ts.TypeNode, factory: ts.NodeFactory): ts.TypeNode {
  const visit = (node: ts.Node): ts.Node => {
    const visited = ts.visitEachChild(node, visit, undefined);
    if (!ts.isTypeLiteralNode(visited)) return visited;
    const { members } = visited;
    if (!members.some(({ questionToken }) => questionToken !== undefined)) return visited;
    const fitting = members.map((member) => {
      if (!ts.isIndexSignatureDeclaration(member)) return member;
      const nothing = factory.createKeywordTypeNode(ts.SyntaxKind.UndefinedKeyword);
      const either = factory.createUnionTypeNode([member.type, nothing]);
      return factory.updateIndexSignature(member, member.modifiers, member.parameters, either);
    });
    return factory.updateTypeLiteralNode(visited, factory.createNodeArray(fitting));
  };
  return visit(type) as ts.TypeNode;
}

function isInferred(node: ts.Node): boolean {
  if (ts.isTypeQueryNode(node)) return true;
  if (ts.isQualifiedName(node) && ts.isIdentifier(node.left) && node.left.text === 'z') return true;
  return ts.forEachChild(node, isInferred) ?? false;
}
