import { exitsOf, finalStates } from './definition.js';
import type { FlowDefinition } from './definition.js';

/**
 * Draws a flow as a Mermaid state diagram.
 *
 * @param current - the state to mark
 */
export function diagramOf(flow: FlowDefinition, current?: string): string {
  const humans = Object.keys(flow.nodes).filter((state) => flow.nodes[state]?.kind === 'human');
  return [
    'stateDiagram-v2',
    `  [*] --> ${flow.initial}`,
    ...Object.keys(flow.nodes).flatMap((state) => arrowsFrom(flow, state)),
    ...finalStates(flow).map((state) => `  ${state} --> [*]`),
    ...(humans.length > 0 ? ['  classDef human stroke-dasharray: 4 3'] : []),
    ...humans.filter((state) => state !== current).map((state) => `  class ${state} human`),
    ...(current === undefined
      ? []
      : ['  classDef current stroke-width: 3px', `  class ${current} current`]),
  ].join('\n');
}

/** One arrow to each state that follows, with all outcomes that lead there. */
function arrowsFrom(flow: FlowDefinition, state: string): readonly string[] {
  const outcomes = new Map<string, string[]>();
  for (const { outcome, next } of exitsOf(flow, state)) {
    if (next !== undefined) outcomes.set(next, [...(outcomes.get(next) ?? []), outcome]);
  }
  return [...outcomes].map(([next, words]) => `  ${state} --> ${next}: ${words.join(', ')}`);
}
