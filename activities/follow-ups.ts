import { Context, log } from '@temporalio/activity';
import type { OutgoingChange } from '../contracts/channel/follow-up.js';
import { audienceOf, type Told } from '../domain/directory/audience.js';
import { personNamed } from '../domain/directory/directory.js';
import { shortened } from '../domain/kernel/text.js';
import { changeFor, followedDeciders } from '../domain/suspension/telling/follow-up.js';
import { workByPages } from './channel-pages.js';
import type { Addressee, Channel } from './channels/channel.js';
import { ChannelError } from './channels/try-outcome.js';
import { audienceHere } from './deliver-to-people.js';
import type { ActivityDependencies, FollowUpTiming } from './dependencies.js';
import type { DueFollowUp } from './ports/upkeep.js';
import { defined } from '../contracts/constants/defined.js';

export type FollowUpDependencies = Pick<
  ActivityDependencies,
  'channels' | 'config' | 'now' | 'links' | 'followUps' | 'followUpTiming'
>;

/**
 * A worker starts an execution when something is due. It then stays for a while, because a start costs more than
 * looking again.
 */
const TIMING: FollowUpTiming = { patienceMs: 50_000, lookMs: 1_000, heartbeatMs: 20_000 };
const PAGE = 50;
/** The pauses double from one second on, so the last try comes after about an hour. */
const MOST_TRIES = 12;

/**
 * Updates, for some time, each message whose question ended or changed, if its channel can. Only one execution runs
 * at a time, so a message is updated twice only if the worker dies before noting it.
 */
export async function tellOutcomes(dependencies: FollowUpDependencies): Promise<void> {
  const { followUps, now, followUpTiming = TIMING } = dependencies;
  await followUps.sweep();
  const due = (except: readonly string[]) =>
    followUps.due({ at: now().toISOString(), limit: PAGE, except });
  await workByPages(followUpTiming, due, (sent) => tellOne(dependencies, sent));
}

async function tellOne(dependencies: FollowUpDependencies, sent: DueFollowUp): Promise<void> {
  const { channels, config, followUps } = dependencies;
  const { context_keys, personal_data_keys } = config.notifications;
  const rules = { context_keys, personal_data_keys, e2e_encrypted: false };
  const channel = channels.get(sent.channel);
  const addressed = channel ? addressedOf(channel, sent, config) : [];
  const informs = addressed.length > 0 && !addressed.some(({ decides }) => decides);
  const change = isMeant(sent, channel) ? changeFor(sent, sent, rules, informs) : undefined;
  if (channel?.update === undefined || change === undefined) {
    await followUps.told(sent, stillFollowed(sent, channel));
    return;
  }
  try {
    await updateOver(channel, change, sent, dependencies, addressed);
  } catch (error) {
    Context.current().cancellationSignal.throwIfAborted();
    await putOff(dependencies, sent, error);
    return;
  }
  await followUps.told(sent, stillFollowed(sent, channel));
}

/** Whether this message is to be updated: if each person has their own messages, only the newest is. */
function isMeant({ latest }: DueFollowUp, channel: Channel | undefined): boolean {
  return channel?.updates === 'each' || latest;
}

/** Returns the version that a message shows now, or null if it needs no further update. */
function stillFollowed(sent: DueFollowUp, channel: Channel | undefined): number | null {
  return sent.settled || !isMeant(sent, channel) ? null : sent.question_version;
}

async function updateOver(
  channel: Channel,
  change: OutgoingChange,
  sent: DueFollowUp,
  dependencies: FollowUpDependencies,
  addressed: readonly Told[],
): Promise<void> {
  const to = await addresseeOf(channel, change, sent, dependencies);
  // The person is no longer in the directory, or has no address any more.
  if (channel.reaches !== undefined && to === undefined) return;
  await channel.update?.(sent, change, {
    idempotencyKey: `${sent.delivery_id}:${change.kind}:${sent.question_version}`,
    signal: Context.current().cancellationSignal,
    ...(channel.reaches === undefined ? { addressed } : defined({ to })),
    asks: { space: sent.space, question_version: sent.question_version },
  });
}

/** The people whom a message was for, and whether each may now decide its question. */
function addressedOf(
  { reaches, mentions }: Channel,
  sent: DueFollowUp,
  config: FollowUpDependencies['config'],
): readonly Told[] {
  const here = audienceHere(config, sent.space);
  const { person: notify_to } = sent;
  const deciders = followedDeciders(sent);
  return audienceOf({ notify_to, deciders }, reaches ? undefined : mentions, here);
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
  const isInformed = change.message.informs === true;
  const link = isInformed ? undefined : await links?.(content, record.expires_at);
  return { principal, name, address, ...defined({ link }) };
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
