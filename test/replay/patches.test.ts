import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js';
import type { NotificationRequest } from '../../contracts/notification.js';
import { replayHistory } from '../workflows/support/histories.js';
import { frozenHistories } from './histories.js';
import type { FrozenHistory } from './histories.js';

type Event = FrozenHistory['content']['events'][number];
interface Payloads {
  readonly payloads?: readonly { readonly data: string }[];
}
interface Marked extends Event {
  readonly markerRecordedEventAttributes?: {
    readonly details?: Readonly<Record<string, Payloads>>;
  };
}
interface Scheduled extends Event {
  readonly activityTaskScheduledEventAttributes?: {
    readonly activityType: { readonly name: string };
    readonly input?: Payloads;
  };
}

const PATCHES = readdirSync('workflows', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .flatMap((file) => [
    ...readFileSync(`workflows/${file}`, 'utf8').matchAll(/ = '(holdpoint-[a-z-]+)';/g),
  ])
  .map(([, id = '']) => id);
const ALL = frozenHistories();
const named = (wanted: string): FrozenHistory =>
  ALL.find(({ name }) => name === wanted) ?? assert.fail(wanted);

const valuesIn = ({ payloads = [] }: Payloads = {}): readonly unknown[] =>
  payloads.map(({ data }) => JSON.parse(Buffer.from(data, 'base64').toString()) as unknown);

/** Whether an event is the marker of a patch. */
function isMarkerOf(patch: string, event: Marked): boolean {
  const details = Object.values(event.markerRecordedEventAttributes?.details ?? {});
  const values = details.flatMap(valuesIn) as readonly { readonly id?: string }[];
  return values.some(({ id }) => id === patch);
}

/** What the messages of a question were told. */
function toldIn({ content }: FrozenHistory): readonly NotificationRequest[] {
  const scheduled = content.events as readonly Scheduled[];
  return scheduled.flatMap(({ activityTaskScheduledEventAttributes: activity }) =>
    activity?.activityType.name === 'notify'
      ? (valuesIn(activity.input).slice(0, 1) as readonly NotificationRequest[])
      : [],
  );
}

describe('the patches of workflows', () => {
  it('are found, each under an id of its own', () => {
    assert.ok(PATCHES.length > 8);
    assert.equal(new Set(PATCHES).size, PATCHES.length);
  });

  for (const patch of PATCHES) {
    it(`have a history with the marker of ${patch}`, () => {
      assert.ok(ALL.some(({ content }) => content.events.some((one) => isMarkerOf(patch, one))));
    });
  }

  it('keep questions of before from telling their proposals, and let newer ones tell them', () => {
    const before = toldIn(named('suspension-of-an-edited-proposal'));
    assert.ok(before.length > 0 && before.every((told) => !('approval' in told)));
    for (const name of [
      'suspension-whose-messages-show-its-proposal',
      'suspension-that-shows-its-proposal-in-two-runs-2',
    ]) {
      const after = toldIn(named(name));
      assert.ok(after.length > 0 && after.every(({ approval }) => approval?.whole), name);
    }
    const hashes = toldIn(named('suspension-whose-messages-show-its-proposal')).map(
      ({ approval }) => approval?.proposal_hash,
    );
    assert.equal(new Set(hashes).size, 2);
  });

  it('decide by their markers what is told: without one, the history does not fit', async () => {
    const { workflowId, content } = named('suspension-whose-messages-show-its-proposal');
    const isMarker = (one: Event) => isMarkerOf('holdpoint-tells-proposals', one);
    assert.ok(content.events.some(isMarker));
    const events = content.events.filter((one) => !isMarker(one));
    await replayHistory(workflowId, historyFromJSON(content));
    await assert.rejects(replayHistory(workflowId, historyFromJSON({ events })));
  });
});
