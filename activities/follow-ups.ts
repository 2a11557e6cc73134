import { Context, heartbeat, log } from '@temporalio/activity';
import { setTimeout as pause } from 'node:timers/promises';
import type { OutgoingChange, SentMessage } from '../contracts/follow-up.js';
import { personNamed } from '../domain/directory/directory.js';
import { shortened } from '../domain/kernel/text.js';
import { changeFor } from '../domain/suspension/follow-up.js';
import type { FollowedQuestion } from '../domain/suspension/follow-up.js';
import { ChannelPages } from './channel-pages.js';
import type { Addressee, Channel } from './channels/channel.js';
import { ChannelError } from './channels/try-outcome.js';
import type { ActivityDependencies } from './dependencies.js';

/** A message with something to tell, and its question. */
export interface DueFollowUp extends SentMessage, FollowedQuestion {
  readonly space: string;
  /** How often it could not be told. */
  readonly tries: number;
  /** How often there was something to tell; what noted an older count leaves the message due. */
  readonly news: number;
  /** Whether its person has no newer message of this question over this channel. */
  readonly latest: boolean;
}

/** The messages that are followed, in the store; of all spaces. */
export interface FollowUpLog {
  /** Finds what was missed while two transactions crossed. */
  readonly sweep: () => Promise<void>;
  readonly due: (range: {
    readonly at: string;
    readonly limit: number;
    /** Channels whose messages are not wanted. */
    readonly except: readonly string[];
  }) => Promise<readonly DueFollowUp[]>;
  /** Notes what a message shows now; null if nothing more is to be told. */
  readonly told: (sent: DueFollowUp, shows: number | null) => Promise<void>;
  readonly putOff: (sent: DueFollowUp, until: string) => Promise<void>;
}

export type FollowUpDependencies = Pick<
  ActivityDependencies,
  'channels' | 'config' | 'now' | 'links'
> & {
  readonly followUps: FollowUpLog;
  readonly followUpTiming?: FollowUpTiming | undefined;
};

/** How long one execution looks, how often, and how often it gives a sign of life; milliseconds. */
export interface FollowUpTiming {
  readonly patienceMs: number;
  readonly lookMs: number;
  readonly heartbeatMs: number;
}

/** The schedule starts the next execution each minute. */
const TIMING: FollowUpTiming = { patienceMs: 50_000, lookMs: 1_000, heartbeatMs: 1_000 };
const PAGE = 50;
/** The pauses double from a second on, so the last try comes after about an hour. */
const MOST_TRIES = 12;

/**
 * Tells messages what has become of their questions, for some time: as soon as a question is over or has changed, each
 * message of it that its channel can tell is told, once. What fails is tried again after growing pauses, and given up in
 * the end. Only one execution is under way at a time, and what was told is noted right after, so a message is told twice
 * only if the worker dies in between. A channel that does not answer holds up no other.
 */
export async function tellOutcomes(dependencies: FollowUpDependencies): Promise<void> {
  const { followUps, now, followUpTiming = TIMING } = dependencies;
  const { patienceMs, lookMs, heartbeatMs } = followUpTiming;
  const { cancelled, cancellationSignal: signal } = Context.current();
  const until = performance.now() + patienceMs;
  const pages = new ChannelPages<DueFollowUp>((sent) => tellOne(dependencies, sent));
  const beat = setInterval(() => heartbeat(), heartbeatMs);
  try {
    await followUps.sweep();
    do {
      const range = { at: now().toISOString(), limit: PAGE, except: pages.busy };
      const isNew = pages.begin(await followUps.due(range));
      if (!isNew) await Promise.race([cancelled, pause(lookMs), ...pages.works]);
      pages.throwFailure();
      signal.throwIfAborted();
    } while (performance.now() < until || pages.hasOlder(until));
    await Promise.race([cancelled, Promise.all(pages.works)]);
    pages.throwFailure();
  } finally {
    clearInterval(beat);
  }
}

async function tellOne(dependencies: FollowUpDependencies, sent: DueFollowUp): Promise<void> {
  const { channels, config, followUps } = dependencies;
  const { context_keys, personal_data_keys } = config.notifications;
  const rules = { context_keys, personal_data_keys, e2e_encrypted: false };
  const channel = channels.get(sent.channel);
  const change = isMeant(sent, channel) ? changeFor(sent, sent, rules) : undefined;
  if (channel?.update === undefined || change === undefined) {
    await followUps.told(sent, stillFollowed(sent, channel));
    return;
  }
  try {
    await updateOver(channel, change, sent, dependencies);
  } catch (error) {
    Context.current().cancellationSignal.throwIfAborted();
    await putOff(dependencies, sent, error);
    return;
  }
  await followUps.told(sent, stillFollowed(sent, channel));
}

/** Where each person is told by a message of its own, the newest of the older ones is enough. */
function isMeant({ latest }: DueFollowUp, channel: Channel | undefined): boolean {
  return channel?.updates === 'each' || latest;
}

/** What a message shows now, if it still has to hear of the end. */
function stillFollowed(sent: DueFollowUp, channel: Channel | undefined): number | null {
  return sent.settled || !isMeant(sent, channel) ? null : sent.question_version;
}

async function updateOver(
  channel: Channel,
  change: OutgoingChange,
  sent: DueFollowUp,
  dependencies: FollowUpDependencies,
): Promise<void> {
  const to = await addresseeOf(channel, change, sent, dependencies);
  // The person has left the directory, or has no address any more.
  if (channel.reaches !== undefined && to === undefined) return;
  await channel.update?.(sent, change, {
    idempotencyKey: `${sent.delivery_id}:${change.kind}:${sent.question_version}`,
    signal: Context.current().cancellationSignal,
    ...(to && { to }),
    asks: { space: sent.space, question_version: sent.question_version },
  });
}

async function addresseeOf(
  { reaches }: Channel,
  change: OutgoingChange,
  { person, space, suspension_id, question_version, record }: DueFollowUp,
  { config, links }: FollowUpDependencies,
): Promise<Addressee | undefined> {
  if (reaches === undefined || person === null) return undefined;
  const found = personNamed(config.directory, person, space);
  const address = found?.[reaches.by];
  if (found === undefined || address === undefined) return undefined;
  const { principal, name = principal } = found;
  if (change.kind === 'settled') return { principal, name, address };
  const content = { space, person, suspension_id, question_version };
  const link = await links?.(content, record.expires_at);
  return { principal, name, address, ...(link !== undefined && { link }) };
}

async function putOff(
  { channels, followUps, now }: FollowUpDependencies,
  sent: DueFollowUp,
  error: unknown,
): Promise<void> {
  const known = error instanceof ChannelError ? error : undefined;
  const givenUp = known?.details.final === true || sent.tries + 1 >= MOST_TRIES;
  log.warn('follow_up_failed', {
    suspension: shortened(sent.suspension_id),
    channel: sent.channel,
    kind: known?.kind ?? 'channel_failed',
    given_up: givenUp,
  });
  if (givenUp) {
    await followUps.told(sent, stillFollowed(sent, channels.get(sent.channel)));
    return;
  }
  const waitMs = known?.details.retryAfterMs ?? 1_000 * 2 ** sent.tries;
  await followUps.putOff(sent, new Date(now().getTime() + waitMs).toISOString());
}
