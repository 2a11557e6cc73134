import { is, type Row } from './checker.js';
import { messageRow, type Scene } from './rows-asked.js';
import { AT } from './story.js';

interface Reminder {
  readonly attempt: number;
  readonly time: number;
  readonly channel: string;
  readonly to: string | null;
  /** When the next one is due, seconds of the RFC. */
  readonly next: number | null;
  /** The names of its three rows. */
  readonly names: readonly [string, string, string];
}

const SECOND = {
  attempt: 2,
  time: AT.reminded,
  channel: 'email',
  to: null,
  next: AT.paged,
} as const;
const THIRD = {
  attempt: 3,
  time: AT.paged,
  channel: 'pagerduty',
  to: 'supervisor@example.com',
  next: null,
} as const;

/** T+3600: TL-08 … TL-10, whose payloads are TD-02. */
export function rowsOfReminder(scene: Scene): readonly Row[] {
  return rowsOf(scene, { ...SECOND, names: ['TL-08', 'TL-09', 'TL-10'] });
}

/** T+7200: TD-04. */
export function rowsOfAlarm(scene: Scene): readonly Row[] {
  return rowsOf(scene, { ...THIRD, names: ['TD-04', 'TD-04', 'TD-04'] });
}

function rowsOf(scene: Scene, reminder: Reminder): readonly Row[] {
  const { reads, checker, suspensionId } = scene;
  const { attempt, time, channel, to, next, names } = reminder;
  const of = { suspension_id: suspensionId, attempt };
  const find = (type: string) => reads.event('compliance_review', `intent.${type}`, of);
  return [
    {
      row: names[0],
      time,
      says: `intent.suspension_renotified, attempt ${attempt} (${channel})`,
      async look() {
        const { payload, created_at } = await find('suspension_renotified');
        is('max_attempts', payload['max_attempts'], 3);
        is('channel_hint', payload['channel_hint'], channel);
        is('notify_to', payload['notify_to'], to);
        is('next_attempt_at', payload['next_attempt_at'], next && checker.instant(next));
        return created_at;
      },
    },
    messageRow(scene, { row: names[1], time, attempt, channel, to }),
    {
      row: names[2],
      time,
      says: `intent.suspension_escalated, attempt ${attempt}`,
      async look() {
        const { payload, sequence, created_at } = await find('suspension_escalated');
        is('escalated_to', payload['escalated_to'], to);
        is('channel_hint', payload['channel_hint'], channel);
        is('its place', sequence, (await find('suspension_renotified')).sequence + 1);
        return created_at;
      },
    },
  ];
}
