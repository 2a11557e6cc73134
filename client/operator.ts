import type {
  Blocked,
  BulkAnswers,
  InboxCounts,
  InboxFilter,
  InboxPage,
  InboxSort,
  SuspensionChange,
  SuspensionView,
} from '../contracts/suspension/view.js';
import { readStream, subscribe, type FeedItem, type SubscribeOptions } from './subscribe.js';
import type { QuietHours } from '../contracts/people/noticing.js';
import type { SaveView, SavedView, Snooze } from '../contracts/suspension/personal.js';
import {
  Connection,
  pathOf,
  randomKey,
  type ConnectionOptions,
  type ReadOptions,
} from './connection.js';
import type { Candidates } from '../contracts/suspension/verbs.js';
import type { ChangeEligibilityRequest } from '../contracts/suspension/decision.js';
import type {
  EngagementFilter,
  EngagementGrouping,
  EngagementReport,
} from '../contracts/suspension/engagement.js';
import type { ResumeBody } from '../contracts/suspension/pause-requests.js';
import type { BulkAnswerBody, RespondBody } from '../contracts/suspension/requests.js';
import type { Me } from '../contracts/people/session.js';
import type { SettledRecord } from '../contracts/suspension/suspension.js';
import { resumeSuspension, sendAnswer, type AnswerReceipt } from './pause.js';
import { isObject, listIn, unexpected, viewIn } from './reply.js';
import { waitUntilSettled, withdrawSuspension, type WaitOptions } from './suspension.js';

/** A selection of questions; by default the most urgent open ones. */
export interface InboxQuery extends InboxFilter {
  readonly state?: 'pending' | 'settled' | undefined;
  readonly sort?: InboxSort | undefined;
  /** 50 by default, at most 200. */
  readonly limit?: number | undefined;
  /** The `next_cursor` of the page before. */
  readonly cursor?: string | undefined;
}

/**
 * News for a list of questions: a question has changed, or (`reset`) changes were missed and the list must be read again.
 * Another stream continues after `last_event_id`.
 */
export type InboxNews =
  | ({ readonly kind: 'suspension'; readonly last_event_id: string } & SuspensionChange)
  | { readonly kind: 'reset'; readonly last_event_id: string };

export interface FollowOptions {
  /** The id after which to begin; without it, the stream begins now. */
  readonly last_event_id?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Yields changes of questions, without an end, and reconnects after lost connections. */
async function* followInbox(
  connection: Connection,
  options: FollowOptions,
): AsyncGenerator<InboxNews, never> {
  return yield* readStream(connection, '/suspensions/subscribe', options, (frame): InboxNews[] => {
    const { id: last_event_id, event: kind, data } = frame;
    if (kind === 'reset') return [{ kind, last_event_id }];
    if (kind !== 'suspension') return [];
    return [{ kind, last_event_id, ...(JSON.parse(data) as SuspensionChange) }];
  });
}

interface QuietHoursReply {
  readonly quiet_hours: QuietHours | null;
}

/** The settings of a principal for itself, which change nothing for others. */
class PersonalSettings {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /**
   * Hides a question from your own lists until an instant, or until it reminds next (`next_reminder`). Everybody else sees it, and
   * it shows again at once if it is changed. Snoozing again replaces the earlier snooze. Throws HoldpointError: 422
   * `snooze_not_possible` if the question would expire before, 409 `no_reminder_left`.
   */
  async snooze(suspensionId: string, until: string): Promise<Snooze> {
    const path = pathOf('suspensions', suspensionId, '/snooze');
    return this.#connection.repeat('POST', path, { until });
  }

  /** Ends your snooze of a question; nothing happens if there is none. */
  async endSnooze(suspensionId: string): Promise<void> {
    await this.#connection.write('DELETE', pathOf('suspensions', suspensionId, '/snooze'));
  }

  /**
   * Returns the questions that you have snoozed, and until when. `list({ view: 'snoozed' })` returns the questions
   * themselves.
   */
  async snoozes(options: ReadOptions = {}): Promise<readonly Snooze[]> {
    return this.#connection.list('/snoozes', 'snoozes', {}, options);
  }

  /** Returns the views of the inbox that you have saved, by name. `list(view.filter)` returns the questions of one. */
  async savedViews(options: ReadOptions = {}): Promise<readonly SavedView[]> {
    return this.#connection.list('/me/views', 'views', {}, options);
  }

  /**
   * Saves a view for yourself, or changes the one with this id, a UUID that you choose. Throws HoldpointError: 409
   * `view_name_taken`, or `too_many_views`.
   */
  async saveView(id: string, view: SaveView): Promise<SavedView> {
    return this.#connection.repeat('PUT', pathOf('me/views', id), view);
  }

  /** Deletes one of your saved views; nothing happens if there is none. */
  async deleteSavedView(id: string): Promise<void> {
    await this.#connection.write('DELETE', pathOf('me/views', id));
  }

  /** Returns the times in which you want no push and no sound; null if there are none. */
  async quietHours(options: ReadOptions = {}): Promise<QuietHours | null> {
    return (await this.#connection.read<QuietHoursReply>('/me/quiet-hours', {}, options))
      .quiet_hours;
  }

  /**
   * Sets the times in which you want no push and no sound, in place of earlier ones. Throws HoldpointError: 422
   * `invalid_request` with the field for an invalid time, day or time zone.
   */
  async setQuietHours(hours: QuietHours): Promise<void> {
    await this.#connection.repeat('PUT', '/me/quiet-hours', hours);
  }

  /** Ends your quiet hours; nothing happens if there are none. */
  async endQuietHours(): Promise<void> {
    await this.#connection.write('DELETE', '/me/quiet-hours');
  }
}

/** An operator's answer (R25-72); `responded_by` is the key's own principal unless given. */
export type Answer = Readonly<RespondBody>;

/** What a report of questions counts; see `Operator.engagement`. */
export interface EngagementQuery extends Partial<EngagementFilter> {
  /** The first day, as in `2026-11-01`. */
  readonly from?: string;
  /** The last day, which is included. */
  readonly to?: string;
  /** The time zone of the days; UTC by default. */
  readonly time_zone?: string;
  /** `day` by default. */
  readonly group_by?: EngagementGrouping;
}

/** Answers questions and follows them. It takes the same options for address and key as an agent. */
export class Operator extends PersonalSettings {
  readonly #connection: Connection;

  constructor(options: ConnectionOptions) {
    const connection = new Connection(options);
    super(connection);
    this.#connection = connection;
  }

  /**
   * Answers a question of an intent or, with null, one without an intent. The Idempotency-Key (a new one by
   * default) makes repeats return the first result. Throws HoldpointError: 409 with the current `state` if the
   * question is no longer open, 422 with `valid_choices` if the value does not fit;
   * SuspensionUnsupportedError if the server lacks the protocol (R25-104).
   */
  async respond(
    intentId: string | null,
    answer: Answer,
    options: { idempotencyKey?: string } = {},
  ): Promise<AnswerReceipt> {
    const { suspension_id, ...answerAlone } = answer;
    const [path, body] =
      intentId === null
        ? [pathOf('suspensions', suspension_id, '/respond'), answerAlone]
        : [pathOf('intents', intentId, '/suspend/respond'), answer];
    const key = options.idempotencyKey;
    return sendAnswer(this.#connection, { path, body, suspension_id, key });
  }

  /**
   * Changes who may answer an open question from its current attempt on; only for admins. Resolves with the question
   * as it is then. Throws HoldpointError: 403 for others, 409 if it is no longer open, 422 if nobody could settle it.
   */
  async changeEligibility(
    suspensionId: string,
    change: ChangeEligibilityRequest,
  ): Promise<SuspensionView> {
    const path = pathOf('suspensions', suspensionId, '/eligibility');
    return viewIn(await this.#connection.write('PUT', path, { body: change }));
  }

  /**
   * Gives one answer to many questions (at most 100) that take the same answers. Resolves with the result for each, in
   * order; a refused one does not stop the others. Repeats return the first results. Throws HoldpointError: 422
   * `mixed_shapes` if they do not take the same answers; then nothing was answered.
   */
  async answerAll(
    body: BulkAnswerBody,
    options: { idempotencyKey?: string } = {},
  ): Promise<BulkAnswers['results']> {
    const key = options.idempotencyKey ?? randomKey();
    return (await this.#connection.create<BulkAnswers>('/suspensions/respond', body, key)).results;
  }

  /**
   * Claims a question for half an hour; claim again to renew it. Reminders continue, and others may still answer with
   * `despite_claim`. Resolves with the question as it is then. Throws HoldpointError: 409 `claimed_by_other` with
   * `holder` and `expires_at` in its `state`, 403 if you may not answer, 409 if it is no longer open or has another
   * version than the given one (`question_version_mismatch`).
   */
  async claim(
    suspensionId: string,
    seen: { readonly question_version?: number } = {},
  ): Promise<SuspensionView> {
    return this.#attend(suspensionId, '/claim', seen);
  }

  /**
   * Ends your claim (admins end any claim), or else your delegation of the question, whose recipient may then no longer
   * answer because of it. With `what` only the named one ends, so that a repeat does not end the other. A repeat by an admin
   * ends the claim of its holder at that time. Throws HoldpointError: 409 `not_claimed`.
   */
  async release(
    suspensionId: string,
    only: { readonly what?: 'claim' | 'delegation' } = {},
  ): Promise<SuspensionView> {
    return this.#attend(suspensionId, '/release', only);
  }

  /** Adds a remark to an open question, which decides nothing. A repeat adds nothing. */
  async comment(suspensionId: string, text: string): Promise<SuspensionView> {
    return this.#attend(suspensionId, '/comments', { text });
  }

  /**
   * Delegates a question to a principal, who may then answer too, gets the claim, and is notified once; or to a group, whose
   * members may all answer then. It replaces your earlier delegation. Throws HoldpointError: 403 `not_eligible` for the asker, excluded people and agents, 422
   * `unknown_recipient`, and 409 `claimed_by_other`, or `delegation_not_allowed` for approvals and questions that several
   * people decide.
   */
  async delegate(
    suspensionId: string,
    to: string | { readonly group: string },
    reason: string,
  ): Promise<SuspensionView> {
    const target = typeof to === 'string' ? { to } : { to_group: to.group };
    return this.#attend(suspensionId, '/delegate', { ...target, reason });
  }

  /**
   * Lists the people and the groups to whom you may delegate a question; those who may answer it anyway come first.
   *
   * @param query - `text` finds beginnings of words of names, principals and groups; `limit` is 20 by default, at
   * most 100
   * @throws HoldpointError as `delegate` does, before anybody is named
   */
  async candidates(
    suspensionId: string,
    query: { readonly text?: string; readonly limit?: number } = {},
    options: ReadOptions = {},
  ): Promise<Candidates> {
    const path = pathOf('suspensions', suspensionId, '/candidates');
    const reply = await this.#connection.read<unknown>(path, query, options);
    if (isObject(reply) && Array.isArray(reply['candidates']))
      return reply as unknown as Candidates;
    throw unexpected('people to delegate to');
  }

  /**
   * Resumes a suspension: a pause that names you by `resume_signal`, or a question by `value`, like `respond`. Repeats
   * return the first result.
   */
  async resume(
    suspensionId: string,
    body: ResumeBody,
    options: { idempotencyKey?: string } = {},
  ): Promise<AnswerReceipt> {
    return resumeSuspension(this.#connection, suspensionId, body, options.idempotencyKey);
  }

  /** Withdraws a question that this principal asked; an admin withdraws any. */
  async withdraw(suspensionId: string, reason?: string): Promise<SettledRecord> {
    return withdrawSuspension(this.#connection, suspensionId, reason);
  }

  /** Reads a suspension with its schedule and timeline. */
  async getSuspension(suspensionId: string, options: ReadOptions = {}): Promise<SuspensionView> {
    return viewIn(await this.#connection.read(pathOf('suspensions', suspensionId), {}, options));
  }

  /** Returns the principal of the key or token, and what it may do. */
  async me(options: ReadOptions = {}): Promise<Me> {
    const me = await this.#connection.read<unknown>('/me', {}, options);
    if (isObject(me) && Array.isArray(me['may'])) return me as unknown as Me;
    throw unexpected('who calls');
  }

  /** Returns a page of questions in the views of the inbox; by default the most urgent open ones. */
  async list(query: InboxQuery = {}, options: ReadOptions = {}): Promise<InboxPage> {
    const page = await this.#connection.read<unknown>('/suspensions', { ...query }, options);
    if (isObject(page) && Array.isArray(page['suspensions'])) return page as unknown as InboxPage;
    throw unexpected('a page of questions');
  }

  /** Counts the questions that a filter finds, open and settled. */
  async counts(filter: InboxFilter = {}): Promise<InboxCounts> {
    return this.#connection.read('/suspensions/counts', { ...filter });
  }

  /**
   * Counts the outcomes of the questions that were asked on some days: by default the last 30, by day.
   *
   * @param query - `from` and `to` are days (`2026-11-28`), both included, in `time_zone`; at most 366
   * @throws HoldpointError 422 `invalid_request` for invalid days or time zones
   */
  async engagement(
    query: EngagementQuery = {},
    options: ReadOptions = {},
  ): Promise<EngagementReport> {
    const report = await this.#connection.read<unknown>(
      '/metrics/engagement',
      { ...query },
      options,
    );
    if (isObject(report) && Array.isArray(report['groups']))
      return report as unknown as EngagementReport;
    throw unexpected('a report');
  }

  /** Returns what waits for the answer to a question, as an indented list; nothing once it is settled. */
  async blocks(suspensionId: string): Promise<readonly Blocked[]> {
    const path = pathOf('suspensions', suspensionId, '/blocks');
    return listIn(await this.#connection.read<unknown>(path), 'blocks') as readonly Blocked[];
  }

  /** Yields changes of questions, without an end and without a loss; see `InboxNews`. */
  follow(options: FollowOptions = {}): AsyncGenerator<InboxNews, never> {
    return followInbox(this.#connection, options);
  }

  /** Waits until a suspension is settled, however long that takes. */
  async waitForSuspension(
    suspensionId: string,
    options: WaitOptions = {},
  ): Promise<SuspensionView> {
    const view = await this.getSuspension(suspensionId);
    return waitUntilSettled(this.#connection, view, options);
  }

  /** Yields events, without an end and without a loss; see `subscribe`. */
  subscribe(options: SubscribeOptions = {}): AsyncGenerator<FeedItem, never> {
    return subscribe(this.#connection, options);
  }

  async #attend(suspensionId: string, verb: string, body: object = {}): Promise<SuspensionView> {
    return viewIn(
      await this.#connection.write('POST', pathOf('suspensions', suspensionId, verb), { body }),
    );
  }
}
