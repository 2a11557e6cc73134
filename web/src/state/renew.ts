import type { Query, QueryClient, QueryKey } from '@tanstack/react-query';

/** Queries that are read for the first time, and will be read once more. */
const again = new WeakSet<Query>();

/**
 * Has a query read again. A first read that is under way may be older than the change, and the library begins no other read before
 * it ends. So the query is read once more after it.
 */
export async function renew(client: QueryClient, queryKey: QueryKey): Promise<void> {
  const reading = { queryKey, type: 'active', fetchStatus: 'fetching' } as const;
  const first = client
    .getQueryCache()
    .findAll(reading)
    .filter((query) => query.state.data === undefined && !again.has(query));
  for (const query of first) again.add(query);
  await client.invalidateQueries({ queryKey });
  for (const query of first) again.delete(query);
  if (first.length === 0) return;
  await client.invalidateQueries({ queryKey, predicate: (query) => first.includes(query) });
}

/** Has a question, the lists and the counts read again after somebody has changed the question. */
export function renewQuestion(client: QueryClient, id: string): void {
  for (const queryKey of [['question', id], ['list'], ['counts']]) void renew(client, queryKey);
}
