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
