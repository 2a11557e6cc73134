import type { JsonObject, JsonValue } from '../../contracts/kernel/primitives.js';
import type { SuspensionRecord } from '../../contracts/suspension/suspension.js';
import { withShortId } from '../intent/masked-event.js';
import { isObject } from '../kernel/message-form.js';
import { metadataWithNotes } from '../suspension/answering/notes.js';
import { endedByDeadline } from '../../contracts/constants/fallback.js';
import { defined } from '../../contracts/constants/defined.js';

const INSTANT = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.(\d{1,6})\d*)?Z$/;
const RECORD_TIMES = ['suspended_at', 'expires_at', 'responded_at', 'settled_at'];

/** Returns an instant as the OpenIntent SDK reads it: naive UTC with microseconds, no `Z`. Other texts stay. */
export function naiveTime(instant: string): string {
  const match = INSTANT.exec(instant);
  if (match?.[1] === undefined) return instant;
  return `${match[1]}.${(match[2] ?? '').padEnd(6, '0')}`;
}

/**
 * Returns a record as the OpenIntent SDK reads it. If a portfolio's deadline ended it, it is cancelled there, because
 * after `expired` the SDK would take the fallback (R26-28).
 */
export function wireRecord(record: JsonObject): JsonObject {
  const { resolution, reason } = record as Pick<SuspensionRecord, 'resolution' | 'reason'>;
  const ended = endedByDeadline({ resolution, reason }) && { resolution: 'cancelled' };
  // The SDK does not know them.
  const { response_schema: _schema, approval: _approval, comment, data, ...known } = record;
  const { metadata } = known as Pick<SuspensionRecord, 'metadata'>;
  const notes = metadataWithNotes({ comment, data, metadata } as Pick<
    SuspensionRecord,
    'comment' | 'data' | 'metadata'
  >);
  const entries = Object.entries({ ...known, ...defined({ metadata: notes }), ...ended }).map(
    ([name, value]) => {
      const isTime = RECORD_TIMES.includes(name) && typeof value === 'string';
      return [name, isTime ? naiveTime(value) : value] as const;
    },
  );
  return Object.fromEntries(entries);
}

/** A record as somebody may have read it: through either API, with its id whole or shortened. */
export function readForms(record: JsonValue): readonly JsonValue[] {
  if (!isObject(record)) return [record];
  const short = withShortId(record, 'id') as JsonObject;
  return [record, short, wireRecord(record), wireRecord(short)];
}
