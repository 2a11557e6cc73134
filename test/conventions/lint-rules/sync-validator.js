const FUNCTIONS = new Set(['ArrowFunctionExpression', 'FunctionDeclaration', 'FunctionExpression']);

/** Whether a `return` of a function's own body returns a value. */
function returnsValue(node, visitorKeys) {
  if (node.type === 'ReturnStatement') return node.argument !== null;
  if (FUNCTIONS.has(node.type)) return false;
  const children = (visitorKeys[node.type] ?? []).flatMap((key) => node[key] ?? []);
  return children.some((child) => returnsValue(child, visitorKeys));
}

/** What a name of this file means, if it is always the same function. */
function functionNamed(name, from) {
  for (let scope = from; scope; scope = scope.upper) {
    const variable = scope.set.get(name);
    if (!variable) continue;
    const [definition, ...others] = variable.defs;
    if (definition === undefined || others.length > 0) return undefined;
    if (definition.type === 'FunctionName') return definition.node;
    const isConstant = definition.type === 'Variable' && definition.parent.kind === 'const';
    return isConstant ? definition.node.init : undefined;
  }
  return undefined;
}

/**
 * Temporal calls an Update's validator and does not await it, so a validator that returns a promise refuses
 * nothing. Reports a property or method `validator` of an object literal that is not, for all to see, a function
 * that returns nothing: one of the same file, not asynchronous, with a body in which no `return` has a value.
 */
export const syncValidator = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      asynchronous:
        'An Update validator must be synchronous, for its promise is never awaited: write a function with a body that returns nothing.',
    },
  },
  create(context) {
    const { visitorKeys } = context.sourceCode;
    const isSynchronous = (value, scope) => {
      const fn = value.type === 'Identifier' ? functionNamed(value.name, scope) : value;
      if (!FUNCTIONS.has(fn?.type) || fn.async || fn.generator) return false;
      return fn.body.type === 'BlockStatement' && !returnsValue(fn.body, visitorKeys);
    };
    return {
      'ObjectExpression > Property'(node) {
        const name = node.key.type === 'Literal' ? node.key.value : node.key.name;
        if (node.computed || name !== 'validator') return;
        if (isSynchronous(node.value, context.sourceCode.getScope(node))) return;
        context.report({ node, messageId: 'asynchronous' });
      },
    };
  },
};
