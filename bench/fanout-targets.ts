/** How long it took to inform so many observers, and how many events the run that informed them has. */
export interface Fanout {
  readonly observers: number;
  readonly ms: number;
  readonly events: number;
}

const MOST_OBSERVERS = 10_000;
const MOST_MS = 60_000;
const MOST_EVENTS = 10_000;
/** Below it, what an announcement costs by itself outweighs the observers. */
const GROWS_FROM = 100;
/** How far two measurements of the same lie apart. */
const NOISE = 1.25;

/**
 * The targets that were missed, one sentence each: 60 s for up to 10,000 observers, at most linear growth
 * from 100 observers on, and no history over 10,000 events.
 */
export function missedTargets(measured: readonly Fanout[]): readonly string[] {
  return [...measured.flatMap(missedAlone), ...missedGrowth(measured)];
}

function missedAlone({ observers, ms, events }: Fanout): readonly string[] {
  const missed: string[] = [];
  if (observers <= MOST_OBSERVERS && ms > MOST_MS) {
    missed.push(`${observers} observers: ${seconds(ms)}, where ${seconds(MOST_MS)} are the most.`);
  }
  if (events > MOST_EVENTS) {
    missed.push(`${observers} observers: ${events} events, where ${MOST_EVENTS} are the most.`);
  }
  return missed;
}

function missedGrowth(measured: readonly Fanout[]): readonly string[] {
  const [first, ...more] = measured
    .filter(({ observers }) => observers >= GROWS_FROM)
    .sort((a, b) => a.observers - b.observers);
  if (first === undefined) return [];
  return more.flatMap(({ observers, ms }) => {
    const most = (first.ms / first.observers) * observers * NOISE;
    if (ms <= most) return [];
    return `${observers} observers: ${seconds(ms)}, where ${seconds(most)} are linear growth from ${first.observers}.`;
  });
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
