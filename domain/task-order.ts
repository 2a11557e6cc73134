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
