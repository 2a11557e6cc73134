import { waitForSuspension } from '../../../api/usecases/suspension/wait.js';
import type { Read } from '../../../api/parts/caller.js';
import type { SuspensionView } from '../../../contracts/suspension/view.js';
import { FakeFeed } from './fake-feed.js';
import {
  ManualClock,
  NOW,
  SUSPENSION_ID,
  callerOf,
  hanging,
  viewOf,
  type FakeQueries,
} from './fakes.js';
import { fakeParts, type Answers } from './parts.js';

/** What a wait is made over. */
interface Bench {
  /** What the workflow answers to the Query. */
  readonly view?: (now: number) => SuspensionView;
  /** What the store has of the question; nothing unless given. */
  readonly stored?: () => SuspensionView | undefined;
  readonly answers?: Answers;
  readonly store?: FakeQueries;
  readonly result?: () => unknown;
}

/** Waits on a suspension over a Temporal, a store and a feed that do as they are told. */
export function waitBench({
  view = () => viewOf(),
  stored = () => undefined,
  answers,
  store,
  result,
}: Bench = {}) {
  const clock = new ManualClock();
  const feed = new FakeFeed();
  const looks: number[] = [];
  const record = () => {
    looks.push(clock.now() - NOW);
    return view(clock.now());
  };
  const settled = () => (stored()?.state === 'settled' ? stored() : undefined);
  const { parts, calls, asked } = fakeParts({
    clock,
    answers: { record, ...answers },
    temporal: { result: result ?? hanging },
    store: { findSuspension: async () => stored(), findSettled: async () => settled(), ...store },
    deps: { feed },
  });
  const call = { caller: callerOf('alice', 'operator'), parts };
  const listening = () => calls.filter(({ name }) => name === 'outcome');
  const wait = (
    timeoutSeconds: number,
    afterAttempt?: number,
    signal = new AbortController().signal,
  ): Promise<Read<SuspensionView>> => {
    const attempts = afterAttempt === undefined ? {} : { afterAttempt };
    return waitForSuspension.run(call, SUSPENSION_ID, { timeoutSeconds, signal, ...attempts });
  };
  return { clock, feed, parts, calls, asked, listening, looks, wait };
}
