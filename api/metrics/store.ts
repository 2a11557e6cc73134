import { Gauge } from 'prom-client';
import type { Registry } from 'prom-client';
import type { ServerConfig } from '../../contracts/server/config.js';
import { shared } from '../../runtime/metrics/registry.js';
import type { FeedHub } from '../../store/feed/hub.js';
import { storeFigures } from '../../store/queries/figures.js';
import type { KnownChannels, OpenQuestions, StoreFigures } from '../../store/queries/figures.js';
import type { RunQuery } from '../parts/reads/from-store.js';

/** The store is asked at most once in this time, however often the metrics are read; milliseconds. */
const KEPT_MS = 10_000;

export interface StoreGaugesOptions {
  readonly store: RunQuery;
  readonly feed: Pick<FeedHub, 'readUpTo'>;
  readonly config: Pick<ServerConfig, 'notifications'>;
  /** Milliseconds since any moment. */
  readonly now: () => number;
}

/** Reads the figures of the gauges; undefined while the store is away. */
type Figures = () => Promise<StoreFigures | undefined>;

/**
 * Adds gauges of the content of the store, read when the metrics are. They describe the whole service, so every API process
 * shows the same. While the store is away they are left out, and `holdpoint_store_up` is 0.
 */
export function addStoreGauges(registry: Registry, options: StoreGaugesOptions): void {
  const { store, feed, config, now } = options;
  const channels = channelsOf(config);
  const figures = shared(() => store(storeFigures, channels).catch(() => undefined), KEPT_MS, now);
  addChannelGauges(registry, figures, channels);
  addPlain(registry, figures, {
    name: 'holdpoint_store_up',
    help: 'Whether the store answered: 1 or 0.',
    read: (found) => (found === undefined ? 0 : 1),
  });
  addPlain(registry, figures, {
    name: 'holdpoint_journal_quarantined_rows',
    help: 'Rows of the journal that the store has refused for good and set aside.',
    read: (found) => found?.refused_rows,
  });
  addPlain(registry, figures, {
    name: 'holdpoint_feed_position',
    help: 'The position in the feed of the newest event.',
    read: (found) => found?.newest_position,
  });
  addPlain(registry, figures, {
    name: 'holdpoint_feed_lag_events',
    help: 'How many positions the streams of this process are behind the newest event; 0 without streams.',
    read: (found) => {
      const { readUpTo } = feed;
      if (found === undefined || readUpTo === undefined) return found && 0;
      return Math.max(0, found.newest_position - readUpTo);
    },
  });
}

/** The states of an open question; a label. */
const STATES = ['waiting', 'reminded', 'overdue'] as const;

function addChannelGauges(registry: Registry, figures: Figures, channels: KnownChannels): void {
  const add = addByChannel.bind(undefined, registry, figures, channels);
  add({
    name: 'holdpoint_questions_open',
    help: 'Questions that are open, each in one state.',
    labelNames: ['channel', 'state'],
    read: (found) => STATES.map((state) => [{ state }, found?.[state] ?? 0]),
  });
  add({
    name: 'holdpoint_questions_overdue',
    help: 'Open questions whose reminder or expiry should have been in the store for a minute or longer.',
    labelNames: ['channel'],
    read: (found) => [[{}, found?.overdue ?? 0]],
  });
  add({
    name: 'holdpoint_oldest_open_question_age_seconds',
    help: 'How long ago the oldest open question was asked; 0 without one.',
    labelNames: ['channel'],
    read: (found) => [[{}, found?.oldest_seconds ?? 0]],
  });
}

interface StoreGauge {
  readonly name: string;
  readonly help: string;
  readonly read: (from: StoreFigures | undefined) => number | undefined;
}

interface ChannelGauge {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly ('channel' | 'state')[];
  /** Returns the values of a channel, with their labels. */
  readonly read: (
    found: OpenQuestions | undefined,
  ) => readonly (readonly [labels: { readonly state?: string }, value: number])[];
}

/** Adds a gauge without a label, which is left out while `read` returns no value. */
function addPlain(registry: Registry, figures: Figures, { name, help, read }: StoreGauge): void {
  const collect = async (): Promise<void> => {
    const value = read(await figures());
    if (value === undefined) gauge.remove();
    else gauge.set(value);
  };
  const gauge: Gauge = new Gauge({ name, help, registers: [registry], collect });
}

/** Adds a gauge with a value for each configured channel, and one for all others together. */
function addByChannel(
  registry: Registry,
  figures: Figures,
  { names }: KnownChannels,
  { name, help, labelNames, read }: ChannelGauge,
): void {
  const collect = async (): Promise<void> => {
    const found = await figures();
    gauge.reset();
    if (found === undefined) return;
    for (const channel of [...names, OTHER]) {
      const questions = found.questions.find((one) => one.channel === channel);
      for (const [labels, value] of read(questions)) gauge.set({ channel, ...labels }, value);
    }
  };
  const gauge: Gauge<'channel' | 'state'> = new Gauge({
    name,
    help,
    labelNames,
    registers: [registry],
    collect,
  });
}

/** The label of channels that are not configured. */
const OTHER = 'other';

/** Returns the configured channels: a question may name any channel, and others do not become labels. */
function channelsOf({ notifications }: StoreGaugesOptions['config']): KnownChannels {
  return { names: Object.keys(notifications.channels), usual: notifications.default_channel };
}
