/** That one intent depends on another. */
interface Edge {
  readonly intent_id: string;
  readonly dependency_id: string;
}

/**
 * The shortest cycle that a new edge would close: from its dependent over its dependency back to the
 * dependent, which is first and last; undefined where there is none. `edges` are at least those that can be
 * reached from the dependency.
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
  // A Map can grow while it is walked: this visits everything, nearest first.
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

/** Every task after those it depends on, and the cycles that keep the others from any order. */
interface Order<T> {
  readonly ordered: readonly T[];
  /** Each as the path that comes back to where it began, e.g. `a, b, a`. */
  readonly cycles: readonly (readonly string[])[];
}

/** Sorts tasks by their dependencies; a dependency that is none of them does not count. */
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
      cycles.push([...path.slice(start), node.name]);
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
