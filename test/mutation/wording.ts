import type { Ignorer, NodePath } from '@stryker-mutator/api/ignore';
import { PluginKind, declareValuePlugin } from '@stryker-mutator/api/plugin';

/** The parts of a syntax tree of Babel that matter here. */
interface Syntax {
  readonly node: {
    readonly type: string;
    readonly value?: unknown;
    readonly quasis?: readonly { readonly value: { readonly raw: string } }[];
    readonly key?: { readonly name?: string };
    readonly id?: { readonly name?: string };
    readonly callee?: { readonly name?: string };
  };
  readonly parentPath: Syntax | null;
}

/** Returns the text of a literal, with a word for each value that a template puts in. */
function textOf({ type, value, quasis }: Syntax['node']): string | undefined {
  if (type === 'StringLiteral' && typeof value === 'string') return value;
  return type === 'TemplateLiteral' ? quasis?.map((part) => part.value.raw).join('X') : undefined;
}

/** Returns the name of the field or constant that an expression is written to, if there is one. */
function targetOf(path: Syntax | null): string | undefined {
  switch (path?.node.type) {
    case 'ObjectProperty':
      return path.node.key?.name;
    case 'VariableDeclarator':
      return path.node.id?.name;
    case 'LogicalExpression':
    case 'ConditionalExpression':
      return targetOf(path.parentPath);
    default:
      return undefined;
  }
}

/**
 * Leaves out the wording of refusals and errors: whole sentences, and phrases that say what is accepted. Somebody reads
 * them, and nothing depends on them; a test of each would only restate it. What programs read stays in:
 * codes, fields, states and accepted values of a single word.
 */
export const wording: Ignorer = {
  shouldIgnore(path: NodePath): string | undefined {
    const syntax = path as Syntax;
    const text = textOf(syntax.node);
    if (text === undefined || !text.includes(' ')) return undefined;
    const target = targetOf(syntax.parentPath);
    if (target === 'rationale') return undefined;
    const { node: parent } = syntax.parentPath ?? {};
    const isThrown = parent?.type === 'NewExpression' && parent.callee?.name?.endsWith('Error');
    const isWording = isThrown || target === 'accepted' || /^[A-Z"].*\.$/.test(text);
    return isWording ? 'the wording of a refusal or an error' : undefined;
  },
};

export const strykerPlugins = [declareValuePlugin(PluginKind.Ignore, 'wording', wording)];
