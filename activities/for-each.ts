/** Signals of one batch that are under way at once. */
const AT_ONCE = 25;

/** The results in the order of the items; a few are worked on at once. */
export async function forEach<T, R>(
  items: readonly T[],
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const rest = items.entries();
  const lane = async (): Promise<void> => {
    for (const [index, item] of rest) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return results;
}
