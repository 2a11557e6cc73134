import type { Stack } from '../../service/stack.js';

/** The key of a stack that has a role. Throws where there is none. */
export function keyOf({ keys }: Pick<Stack, 'keys'>, role: 'agent' | 'operator'): string {
  const found = keys.find(({ roles }) => roles.includes(role));
  if (found === undefined) throw new Error(`There is no key with the role ${role}.`);
  return found.key;
}
