/**
 * Finds groups of names that lead to each other in a circle.
 *
 * @param graph - the names that each name leads to; names that are no key lead nowhere
 * @returns the groups, each of at least two names; a name is in one at most
 */
export function cyclesIn(
  graph: ReadonlyMap<string, readonly string[]>,
): readonly (readonly string[])[] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const path: string[] = [];
  const cycles: string[][] = [];

  const visit = (name: string, targets: readonly string[]): void => {
    const number = order.size;
    order.set(name, number);
    lowest.set(name, number);
    path.push(name);
    for (const target of targets) {
      const next = graph.get(target);
      if (!next) continue;
      if (!order.has(target)) visit(target, next);
      else if (!path.includes(target)) continue;
      lowest.set(name, Math.min(lowest.get(name) ?? 0, lowest.get(target) ?? 0));
    }
    if (lowest.get(name) !== number) return;
    const group = path.splice(path.indexOf(name));
    if (group.length > 1) cycles.push(group);
  };
  for (const [name, targets] of graph) if (!order.has(name)) visit(name, targets);
  return cycles;
}
