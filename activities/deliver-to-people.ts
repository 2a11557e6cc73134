import { Context, heartbeat, log } from '@temporalio/activity';
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import pMap from 'p-map';
import {
  NOBODY_MAY_DECIDE,
  type DeliveryReceipt,
  type NotificationRequest,
} from '../contracts/channel/notification.js';
import { audienceOf, type AudienceHere, type Told } from '../domain/directory/audience.js';
import { shortened } from '../domain/kernel/text.js';
import type { Addressee, Channel } from './channels/channel.js';
import {
  channelNamed,
  undeliverable,
  type Channels,
  type SelectedChannel,
} from './channels/routing.js';
import type { LinkMaker } from './dependencies.js';
import {
  TIMING,
  deliveredBefore,
  recordDelivery,
  recordUntried,
  tryOnce,
  type TryDependencies,
} from './one-try.js';
import { ownSpace } from './own-call.js';
import type { ActivityStore } from './ports/store.js';
import { tolerate } from './failures.js';
import { defined } from '../contracts/constants/defined.js';

type ToPeople = SelectedChannel & { readonly reaches: NonNullable<Channel['reaches']> };

export type PeopleDependencies = TryDependencies & {
  readonly channels: Channels;
  readonly store: Pick<ActivityStore, 'answeringByKey'>;
  readonly links?: LinkMaker | undefined;
};

/** How many people are sent to at once, and after how long no more are, because the try has to end within its time. */
const AT_ONCE = 8;
const BEGIN_WITHIN_MS = 12_000;

export function deliveryTo(deliveryId: string, principal: string): string {
  return `${deliveryId}/${principal}`;
}

/** The people who need no further try; heartbeats carry the lists from try to try. */
interface Progress {
  readonly reached: string[];
  /** No further try can reach them. */
  readonly unreachable: string[];
}

/**
 * Delivers a notification to each person of its audience (`audienceOf`). A further try sends only to those who lack
 * the message and can be reached; heartbeats carry who has it. Fails while somebody can still be reached, and finally
 * if nobody who may decide can be.
 */
export async function deliverToPeople(
  request: NotificationRequest,
  selected: ToPeople,
  dependencies: PeopleDependencies,
): Promise<DeliveryReceipt> {
  const people = await peopleOf(request, selected, dependencies);
  const work = new ForPeople(request, selected, dependencies);
  const { heartbeatMs } = dependencies.timing ?? TIMING;
  const beat = setInterval(() => work.beat(), heartbeatMs);
  try {
    await pMap(people, (person) => work.deliver(person), { concurrency: AT_ONCE });
    return await work.finish(people);
  } finally {
    work.beat();
    clearInterval(beat);
  }
}

/** The parts of the configuration that determine a message's audience in the space of its question. */
export function audienceHere(
  { directory, suspension, notifications }: TryDependencies['config'],
  space: string,
): AudienceHere {
  return {
    directory,
    space,
    separate: suspension.separation_of_duties,
    allowed: notifications.allowed_recipients,
  };
}

/**
 * Returns the people whose keys all lack the right to answer. Undefined where an issuer may sign them in, or the
 * store does not know.
 */
async function withoutRole(
  request: NotificationRequest,
  { config, store, timing = TIMING }: PeopleDependencies,
): Promise<ReadonlySet<string> | undefined> {
  if (request.deciders === undefined || config.sign_in !== undefined) return undefined;
  const byKey = await tolerate('keys_unread', request, timing.logWaitMs, () =>
    store.answeringByKey(),
  );
  const space = ownSpace();
  const lost = byKey?.filter((one) => one.space === space && one.only_own === true);
  return new Set(lost?.map(({ principal }) => principal));
}

/**
 * Returns the recipients. Throws `recipient_unknown`, non-retryable, if the directory has nobody of that name in this space, and
 * `nobody_may_decide` if all of them have decided.
 */
async function peopleOf(
  request: NotificationRequest,
  { reaches }: ToPeople,
  dependencies: PeopleDependencies,
): Promise<readonly Told[]> {
  const here = {
    ...audienceHere(dependencies.config, ownSpace()),
    lost: await withoutRole(request, dependencies),
  };
  const people = audienceOf(request, reaches.otherwise, here);
  if (people.length > 0) return people;
  const name = request.notify_to ?? reaches.otherwise;
  const isKnown = audienceOf({ notify_to: request.notify_to }, reaches.otherwise, here).length > 0;
  if (isKnown) throw nobodyDecides('everybody whom it would tell has decided, or passed it on');
  const whom = name === undefined ? 'nobody is named' : `the directory does not know "${name}"`;
  const message = `${whom}, and the channel has no recipient of its own`;
  log.warn(message);
  await recordUntried(request, dependencies, 'recipient_unknown');
  throw undeliverable('recipient_unknown', message, { notify_to: request.notify_to });
}

class ForPeople {
  private readonly request: NotificationRequest;
  private readonly selected: ToPeople;
  private readonly dependencies: PeopleDependencies;
  private readonly progress: Progress;
  private readonly failures: Error[] = [];
  private readonly begun = performance.now();
  private readonly wanted = Context.current().cancellationSignal;

  constructor(request: NotificationRequest, selected: ToPeople, dependencies: PeopleDependencies) {
    this.request = request;
    this.selected = selected;
    this.dependencies = dependencies;
    this.progress = progressIn(Context.current().info.heartbeatDetails);
  }

  beat(): void {
    heartbeat(this.progress);
  }

  /** Sends to one person, unless that is done, impossible or cancelled; `finish` throws a failure. */
  async deliver(person: Told): Promise<void> {
    const { principal, decides } = person;
    const { reached, unreachable } = this.progress;
    if (this.isCalledOff()) return;
    if (reached.includes(principal) || unreachable.includes(principal)) return;
    const own: NotificationRequest = {
      ...this.request,
      delivery_id: deliveryTo(this.request.delivery_id, principal),
      ...(!decides && { informs: true }),
    };
    try {
      if (await deliveredBefore(own, this.dependencies)) {
        reached.push(principal);
        return;
      }
      const selected = this.channelFor(person);
      const to = await this.addresseeOf(person, own, selected);
      if (performance.now() - this.begun > BEGIN_WITHIN_MS) throw outOfTime();
      await tryOnce(own, selected, this.dependencies, { to });
      reached.push(principal);
      this.beat();
    } catch (error) {
      if (this.isCalledOff()) return;
      if (!(error instanceof Error)) throw error;
      this.failures.push(error);
      if (isFinal(error)) unreachable.push(principal);
    }
  }

  /** Returns the receipt if nobody needs a further try and somebody has the message; throws the first failure otherwise. */
  async finish(people: readonly Told[]): Promise<DeliveryReceipt> {
    const { request, selected, dependencies } = this;
    const { reached, unreachable } = this.progress;
    const open = this.failures.find((error) => !isFinal(error));
    if (reached.length + unreachable.length < people.length) {
      this.wanted.throwIfAborted();
      throw open ?? outOfTime();
    }
    if (reached.length === 0) throw this.failures[0] ?? nobodyLeft();
    const isOfUse = people.some(({ principal, decides }) => decides && reached.includes(principal));
    if (!isOfUse) throw nobodyDecides('nobody who may decide was told, but others');
    const { attempt } = Context.current().info;
    const receipt: DeliveryReceipt = {
      channel: selected.name,
      delivered_at: dependencies.now().toISOString(),
      ...(attempt > 1 && { tries: attempt }),
      people: reached.length,
      ...(unreachable.length > 0 && { unreached: unreachable.length }),
    };
    await recordDelivery(request, dependencies, receipt);
    return receipt;
  }

  private isCalledOff(): boolean {
    return this.wanted.aborted;
  }

  /**
   * A person who may decide and has no address for this channel gets the message over the first channel that reaches
   * them.
   */
  private channelFor(person: Told): ToPeople {
    const { selected, dependencies } = this;
    if (!person.decides || person[selected.reaches.by] !== undefined) return selected;
    for (const [name, channel] of dependencies.channels) {
      const { reaches } = channel;
      if (reaches === undefined || person[reaches.by] === undefined) continue;
      return { ...channelNamed(name, channel, dependencies.config.notifications), reaches };
    }
    return selected;
  }

  private async addresseeOf(
    person: Told,
    own: NotificationRequest,
    { reaches }: ToPeople,
  ): Promise<Addressee> {
    const address = person[reaches.by];
    const { principal, name = principal } = person;
    if (address === undefined) {
      await recordUntried(own, this.dependencies, 'address_missing');
      const message = 'a recipient has no address for this channel in the directory';
      throw undeliverable('address_missing', message, {
        suspension: shortened(own.suspension_id),
      });
    }
    const link = own.informs ? undefined : await this.linkFor(person);
    return { principal, name, address, ...defined({ link }) };
  }

  private async linkFor({ principal }: Told): Promise<string | undefined> {
    const { alert, suspension_id, question_version = 1, expires_at } = this.request;
    if (alert !== undefined) return undefined;
    const content = { space: ownSpace(), person: principal, suspension_id, question_version };
    return this.dependencies.links?.(content, expires_at);
  }
}

function progressIn(details: unknown): Progress {
  const { reached = [], unreachable = [] } = (details ?? {}) as Partial<Progress>;
  return { reached: [...reached], unreachable: [...unreachable] };
}

function isFinal(error: unknown): boolean {
  return error instanceof ApplicationFailure && error.nonRetryable === true;
}

/** The failure after which another try continues with the remaining people. */
function outOfTime(): ApplicationFailure {
  return ApplicationFailure.create({
    type: 'no_reply_in_time',
    message: 'others took so long that somebody had no turn',
    category: ApplicationFailureCategory.BENIGN,
  });
}

/** The failure if earlier tries found that none of the people can be reached. */
function nobodyLeft(): ApplicationFailure {
  return undeliverable('address_missing', 'none of the recipients can be reached', {});
}

/** The failure of a delivery that reached nobody who may decide; another try would fail too. */
function nobodyDecides(message: string): ApplicationFailure {
  return ApplicationFailure.create({
    type: NOBODY_MAY_DECIDE,
    message,
    nonRetryable: true,
    category: ApplicationFailureCategory.BENIGN,
  });
}
