import { msToTs } from '@temporalio/common/lib/time.js';
import proto from '@temporalio/proto';

const { HistoryEvent } = proto.temporal.api.history.v1;
const { EventType } = proto.temporal.api.enums.v1;

export type Event = proto.temporal.api.history.v1.HistoryEvent;
type Attributes = NonNullable<Event['attributes']>;
/** A kind of event, such as `activityTaskScheduled`. */
export type EventKind = Attributes extends `${infer Kind}EventAttributes` ? Kind : never;
type Fields<K extends EventKind> = NonNullable<
  proto.temporal.api.history.v1.IHistoryEvent[`${K}EventAttributes` &
    keyof proto.temporal.api.history.v1.IHistoryEvent]
>;
/** Ids of events are numbers here, and so are choices, which have other names on the side of the code. */
type Given<T> = {
  [F in keyof T]?: NonNullable<T[F]> extends number
    ? number | null | undefined
    : T[F] | (NonNullable<T[F]> extends { toNumber(): number } ? number : never);
};

/** What Temporal writes down of a run. */
export class RunHistory {
  readonly events: Event[] = [];

  get length(): number {
    return this.events.length;
  }

  /** Adds an event; returns its id. */
  add<K extends EventKind>(
    at: number,
    kind: K,
    fields: Given<Fields<K>>,
    more: Pick<proto.temporal.api.history.v1.IHistoryEvent, 'userMetadata'> = {},
  ): number {
    const eventId = this.events.length + 1;
    this.events.push(
      HistoryEvent.fromObject({
        eventId,
        eventTime: msToTs(at),
        eventType: typeOf(kind),
        [`${kind}EventAttributes`]: fields,
        ...more,
      }),
    );
    return eventId;
  }
}

function typeOf(kind: EventKind): number {
  const name = kind.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
  const type = (EventType as Record<string, unknown>)[`EVENT_TYPE_${name}`];
  if (typeof type !== 'number') throw new Error(`There is no event ${kind}.`);
  return type;
}
