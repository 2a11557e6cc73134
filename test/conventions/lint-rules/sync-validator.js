/** Whether a value of this type can be awaited: the type, or a member of its union, has a `then`. */
function isThenable(type) {
  if (type.isUnion()) return type.types.some(isThenable);
  return type.getProperty('then') !== undefined;
}

/**
 * Temporal calls an Update's validator and does not await it, so a validator that returns a promise refuses
 * nothing. Reports a property or method `validator` of an object literal whose function is asynchronous.
 */
export const syncValidator = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      asynchronous: 'An Update validator must be synchronous: its promise is never awaited.',
    },
  },
  create(context) {
    const services = context.sourceCode.parserServices;
    return {
      'ObjectExpression > Property'(node) {
        const name = node.key.type === 'Literal' ? node.key.value : node.key.name;
        if (node.computed || name !== 'validator') return;
        const returned = services
          .getTypeAtLocation(node.value)
          .getCallSignatures()
          .map((signature) => signature.getReturnType());
        if (returned.some(isThenable)) context.report({ node, messageId: 'asynchronous' });
      },
    };
  },
};
