import type { ChangeEligibilityRequest } from '../contracts/decision.js';
import type { ResumeBody } from '../contracts/pause-requests.js';
import type { BulkAnswerBody, RespondBody } from '../contracts/suspension-requests.js';
import type { Me } from '../contracts/me.js';
import type {
  Blocked,
  BulkAnswers,
  InboxCounts,
  InboxFilter,
  InboxPage,
  RespondResult,
  SuspensionView,
} from '../contracts/suspension-view.js';
import type { SettledRecord } from '../contracts/suspension.js';
import { Connection, pathOf, randomKey } from './connection.js';
import type { ConnectionOptions, ReadOptions } from './connection.js';
import { countInbox, followInbox, listBlocked, listInbox, readMe } from './inbox.js';
import type { FollowOptions, InboxNews, InboxQuery } from './inbox.js';
import { resumeSuspension } from './pause.js';
import type { AnswerReceipt } from './pause.js';
import { supported, viewIn } from './reply.js';
import { subscribe } from './subscribe.js';
import type { FeedItem, SubscribeOptions } from './subscribe.js';
import { waitUntilSettled, withdrawSuspension } from './suspension.js';
import type { WaitOptions } from './suspension.js';

/** An operator's answer (R25-72); `responded_by` is the key's own principal unless given. */
export type Answer = Readonly<RespondBody>;

/** Answers questions and follows them. The same address and key options as for an agent. */
export class Operator {
  readonly #connection: Connection;

  constructor(options: ConnectionOptions) {
    this.#connection = new Connection(options);
  }

  /**
   * Answers a question of an intent or, with null, one without an intent. The Idempotency-Key (a new one by
   * default) makes repeats return the first result. Throws HoldpointError: 409 with the current `state` if the
   * question is not open any more, 422 with `valid_choices` if the value does not fit;
   * SuspensionUnsupportedError if the server lacks the protocol (R25-104).
   */
  async respond(
    intentId: string | null,
    answer: Answer,
    options: { idempotencyKey?: string } = {},
  ): Promise<AnswerReceipt> {
    const { suspension_id, ...answerAlone } = answer;
    const { status, body } = await supported(
      this.#connection.send({
        method: 'POST',
        path:
          intentId === null
            ? pathOf('suspensions', suspension_id, '/respond')
            : pathOf('intents', intentId, '/suspend/respond'),
        headers: { 'idempotency-key': options.idempotencyKey ?? randomKey() },
        body: intentId === null ? answerAlone : answer,
        repeatable: 'always',
      }),
    );
    if (status === 202) return { accepted: false, suspension_id };
    return { accepted: true, result: body as RespondResult };
  }

  /**
   * Changes who may answer an open question, from its present attempt on; for admins. Resolves with the question as it
   * stands. Throws HoldpointError: 403 for everybody else, 409 if it is not open any more, 422 if nobody could settle
   * it then.
   */
  async changeEligibility(
    suspensionId: string,
    change: ChangeEligibilityRequest,
  ): Promise<SuspensionView> {
    const path = pathOf('suspensions', suspensionId, '/eligibility');
    return viewIn(await this.#connection.write('PUT', path, { body: change }));
  }

  /**
   * Gives one answer to many questions (at most 100) that take the same answers. Resolves with what became of each, in
   * order: one that is refused does not stop the others. Repeats return the first results. Throws HoldpointError: 422
   * `mixed_shapes` if they do not take the same answers; then nothing was answered.
   */
  async answerAll(
    body: BulkAnswerBody,
    options: { idempotencyKey?: string } = {},
  ): Promise<BulkAnswers['results']> {
    const { body: replied } = await this.#connection.send({
      method: 'POST',
      path: '/suspensions/respond',
      headers: { 'idempotency-key': options.idempotencyKey ?? randomKey() },
      body,
      repeatable: 'always',
    });
    return (replied as BulkAnswers).results;
  }

  /**
   * Says that you look after a question, for half an hour; claim again to renew it. Reminders go on, and others may still
   * answer with `despite_claim`. Resolves with the question as it stands. Throws HoldpointError: 409 `claimed_by_other` with
   * `holder` and `expires_at` in its `state`, 403 if you may not answer, 409 if it is not open any more or, where you name the
   * version that you have seen, has another by now (`question_version_mismatch`).
   */
  async claim(
    suspensionId: string,
    seen: { readonly question_version?: number } = {},
  ): Promise<SuspensionView> {
    return this.#attend(suspensionId, '/claim', seen);
  }

  /**
   * Ends a claim: your own or, for admins, any. Whoever has delegated the question takes that back: whom it named may answer
   * no more because of it. A claim of your own ends first; with `what` only what you name, so that a repeat does not end the
   * other. A repeat of an admin ends the claim of whoever has it by then. Throws HoldpointError: 409 `not_claimed`.
   */
  async release(
    suspensionId: string,
    only: { readonly what?: 'claim' | 'delegation' } = {},
  ): Promise<SuspensionView> {
    return this.#attend(suspensionId, '/release', only);
  }

  /** Adds a remark to an open question, which decides nothing; once more is the same remark. */
  async comment(suspensionId: string, text: string): Promise<SuspensionView> {
    return this.#attend(suspensionId, '/comments', { text });
  }

  /**
   * Passes a question on to somebody, by its principal: it may answer too, has the claim, and is notified once. It takes
   * the place of what you delegated before. Throws
   * HoldpointError: 403 `not_eligible` for who asked, who is excluded and agents, 422 `unknown_recipient`, and 409
   * `claimed_by_other`, or `delegation_not_allowed` for approvals and questions that several people decide.
   */
  async delegate(suspensionId: string, to: string, reason: string): Promise<SuspensionView> {
    return this.#attend(suspensionId, '/delegate', { to, reason });
  }

  /**
   * Resumes a suspension for whatever reason it waits: a pause by `resume_signal`, for whom it names, or a question by
   * `value`, as `respond` does. Repeats return the first result.
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

  /** Whom the key or token stands for, and what it may do. */
  async me(options: ReadOptions = {}): Promise<Me> {
    return readMe(this.#connection, options);
  }

  /** A page of questions: the most urgent open ones unless asked otherwise, in the views of the inbox. */
  async list(query: InboxQuery = {}, options: ReadOptions = {}): Promise<InboxPage> {
    return listInbox(this.#connection, query, options);
  }

  /** How many questions a filter finds, open and settled. */
  async counts(filter: InboxFilter = {}): Promise<InboxCounts> {
    return countInbox(this.#connection, filter);
  }

  /** What waits for the answer to a question, as an indented list; nothing once it is settled. */
  async blocks(suspensionId: string): Promise<readonly Blocked[]> {
    return listBlocked(this.#connection, suspensionId);
  }

  /** Which questions change, as they do, without an end and without a loss; see `InboxNews`. */
  follow(options: FollowOptions = {}): AsyncGenerator<InboxNews, never> {
    return followInbox(this.#connection, options);
  }

  /** Resolves with the suspension once it is settled, however long that takes. */
  async waitForSuspension(
    suspensionId: string,
    options: WaitOptions = {},
  ): Promise<SuspensionView> {
    const view = await this.getSuspension(suspensionId);
    return waitUntilSettled(this.#connection, view, options);
  }

  /** Events as they come, without an end and without a loss; see `subscribe`. */
  subscribe(options: SubscribeOptions = {}): AsyncGenerator<FeedItem, never> {
    return subscribe(this.#connection, options);
  }

  async #attend(suspensionId: string, verb: string, body: object = {}): Promise<SuspensionView> {
    return viewIn(
      await this.#connection.write('POST', pathOf('suspensions', suspensionId, verb), { body }),
    );
  }
}
