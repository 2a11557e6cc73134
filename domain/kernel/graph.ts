interface Edge {
  readonly intent_id: string;
  readonly dependency_id: string;
}

/**
 * Returns the shortest cycle that a new edge would close, from the dependent back to itself, or undefined.
 *
 * @param edges - at least all edges that can be reached from the new dependency
 */
export function cycleOf(edges: readonly Edge[], added: Edge): readonly string[] | undefined {
  const { intent_id: start, dependency_id: first } = added;
  if (start === first) return [start, start];
  const dependencies = new Map<string, string[]>();
  for (const { intent_id, dependency_id } of edges) {
    const known = dependencies.get(intent_id);
    if (known) known.push(dependency_id);
    else dependencies.set(intent_id, [dependency_id]);
  }
  const cameFrom = new Map<string, string>([[first, start]]);
  // The loop also visits entries added during iteration, so it reaches all intents, the nearest first.
  for (const [id] of cameFrom) {
    for (const next of dependencies.get(id) ?? []) {
      if (cameFrom.has(next)) continue;
      cameFrom.set(next, id);
      if (next === start) return wayTo(start, cameFrom);
    }
  }
  return undefined;
}

function wayTo(end: string, cameFrom: ReadonlyMap<string, string>): readonly string[] {
  const path = [end];
  for (let at = cameFrom.get(end); at !== undefined && at !== end; at = cameFrom.get(at)) {
    path.unshift(at);
  }
  return [end, ...path];
}

interface Node {
  readonly name: string;
  readonly depends_on: readonly string[];
}

/** The most reported cycles; there may be as many as dependencies. */
const MOST_CYCLES = 20;

interface Order<T> {
  readonly ordered: readonly T[];
  /** The first cycles, each as a path that returns to its start, such as `a, b, a`. */
  readonly cycles: readonly (readonly string[])[];
}

/** Sorts nodes so that each comes after its dependencies. Dependencies outside the list are ignored. */
export function orderOf<T extends Node>(nodes: readonly T[]): Order<T> {
  const byName = new Map(nodes.map((node) => [node.name, node]));
  const done = new Set<string>();
  const path: string[] = [];
  const ordered: T[] = [];
  const cycles: string[][] = [];

  const visit = (node: T): void => {
    if (done.has(node.name)) return;
    const start = path.indexOf(node.name);
    if (start >= 0) {
      if (cycles.length < MOST_CYCLES) cycles.push([...path.slice(start), node.name]);
      return;
    }
    path.push(node.name);
    for (const name of node.depends_on) {
      const next = byName.get(name);
      if (next) visit(next);
    }
    path.pop();
    done.add(node.name);
    ordered.push(node);
  };
  for (const node of nodes) visit(node);
  return { ordered, cycles };
}
