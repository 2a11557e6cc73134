import type { EngagementBody, EngagementDecision } from '../contracts/suspension/engagement.js';
import { DeferredError, InputRequiredError } from './errors.js';
import { resultOf } from '../contracts/constants/ask.js';
import { fallbackCounts } from '../contracts/constants/fallback.js';
import type {
  AnyAskResult,
  AskChoice,
  AskOptions,
  AskResult,
  ChoiceOptions,
  ConfirmOptions,
  ConfirmResult,
  TextOptions,
  ValueOfChoice,
} from '../contracts/suspension/ask.js';
import type { PauseEnd, ResumeBody } from '../contracts/suspension/pause-requests.js';
import type { JsonValue } from '../contracts/kernel/primitives.js';
import type { PartialRetryPolicy } from '../contracts/suspension/retry-policy.js';
import type { AmendBody, CancelRequest, SuspendBody } from '../contracts/suspension/requests.js';
import type { SuspensionView } from '../contracts/suspension/view.js';
import type { SettledRecord } from '../contracts/suspension/suspension.js';
import { checkIntentId, settledAsk, type AskCall } from './ask.js';
import { Connection, pathOf, randomKey, type ConnectionOptions } from './connection.js';
import {
  askedSuspension,
  inputResponse,
  logHookError,
  reportHookError,
  runHook,
  type HookErrorHandler,
  type Hooks,
} from './hooks.js';
import { IntentClient } from './intent-client.js';
import { resumeSuspension, untilResumed, type AnswerReceipt, type PauseOptions } from './pause.js';
import { endWithoutAnswer, supported, viewIn } from './reply.js';
import { mayRepeat } from './retry.js';
import {
  openAlone,
  openSuspension,
  waitUntilSettled,
  withdrawSuspension,
  type WaitOptions,
} from './suspension.js';

/** Signals from 0 to 1; missing ones have the server's defaults (R25-60 … 63). */
export type Signals = Readonly<EngagementBody>;

/**
 * Returns only if the agent may act alone. Throws InputRequiredError if an operator must be asked first, and DeferredError if
 * the matter must be handed over: `should_ask` is then false too, so checking it alone would allow the riskiest actions.
 */
export function ensureMayAct(decision: EngagementDecision): void {
  if (decision.may_act) return;
  throw decision.should_ask ? new InputRequiredError(decision) : new DeferredError(decision);
}

/** The most intents whose decisions are kept; the oldest are dropped first. */
const CAPACITY = 1_000;

interface Remembered {
  readonly decision: EngagementDecision;
  /** The question that was sent with the decision. */
  readonly request_key?: string;
}

/**
 * The last decision of each intent in this process, for the next question of that intent. A repeated question gets the same
 * decision again, so that it stays the same question.
 */
class DecisionMemory {
  readonly #decisions = new Map<string, Remembered>();

  keep(intentId: string, decision: EngagementDecision): void {
    this.#put(intentId, { decision });
  }

  /** Returns the decision for a question, if there is one. */
  decisionFor(intentId: string, requestKey: string): EngagementDecision | undefined {
    const found = this.#decisions.get(intentId);
    const used = found?.request_key;
    return used === undefined || used === requestKey ? found?.decision : undefined;
  }

  /** Ties a decision to the question that was sent with it. */
  use(intentId: string, decision: EngagementDecision, requestKey: string): void {
    this.#put(intentId, { decision, request_key: requestKey });
  }

  #put(intentId: string, entry: Remembered): void {
    this.#decisions.delete(intentId);
    this.#decisions.set(intentId, entry);
    const [oldest] = this.#decisions.keys();
    if (this.#decisions.size > CAPACITY && oldest !== undefined) this.#decisions.delete(oldest);
  }
}

/**
 * An agent that asks people. Use it as it is, or extend it and set `default_human_retry_policy` in
 * the class (R26-82). All instants are ISO-8601, all durations on the wire whole seconds.
 */
export class Agent extends IntentClient {
  /** The agent's own retry policy; null keeps the platform's (R26-71). */
  default_human_retry_policy: HumanRetryPolicy | null = null;
  readonly #policy: HumanRetryPolicy | null | undefined;
  readonly #hooks: Hooks;
  readonly #onHookError: HookErrorHandler;
  readonly #decisions = new DecisionMemory();

  /** Throws TypeError if `baseUrl` is no URL. */
  constructor(options: AgentOptions) {
    super(new Connection(options));
    this.#policy = options.default_human_retry_policy;
    this.#hooks = options.hooks ?? {};
    this.#onHookError = options.onHookError ?? logHookError;
  }

  /**
   * Asks people, waits for as long as it takes, and resolves with the answer: yes or no, unless the options have
   * `choices`, `text` or `form`. No intent is needed. Resolves with the `fallback`, if there is one, when nobody
   * answers in time.
   *
   * Throws InputTimeoutError if nobody answers in time and there is no fallback, InputCancelledError if the question
   * is withdrawn, HoldpointError for options that are not accepted, and the signal's reason. Hooks are not called:
   * they are those of `requestInput`.
   */
  ask(question: string, options?: ConfirmOptions & AskCall): Promise<ConfirmResult>;
  ask<const Choice extends AskChoice>(
    question: string,
    options: ChoiceOptions<Choice> & AskCall,
  ): Promise<AskResult<ValueOfChoice<Choice>>>;
  ask(question: string, options: TextOptions & AskCall): Promise<AskResult<string>>;
  ask(question: string, options: AskOptions & AskCall): Promise<AnyAskResult>;
  async ask(question: string, options: AskOptions & AskCall = {}): Promise<AnyAskResult> {
    const view = await settledAsk(this.connection, question, options, this.#ownPolicy);
    const result = resultOf(view.record);
    if (result === undefined) throw endWithoutAnswer('', view);
    return result;
  }

  /**
   * Asks an operator and resolves with the value of the answer (R25-89), or with `fallback_value`
   * (null without one) if nobody answered and the policy returns a value. Throws
   * InputTimeoutError (policy `fail`), InputCancelledError, SuspensionUnsupportedError,
   * HoldpointError with the server's refusal, or the signal's reason.
   *
   * With a `request_key` the same call may be repeated after a crash: it re-attaches to the question, which is asked once;
   * `onInputRequested` is called once more for its current attempt. The whole call must be the same, including the decision
   * and the agent's own policy; another question under a used key is refused with `request_key_reused`.
   */
  async requestInput(intentId: string, options: RequestInputOptions): Promise<JsonValue> {
    checkIntentId(intentId);
    const { signal, ...question } = options;
    const requestKey = question.request_key ?? randomKey();
    const decision = question.decision ?? this.#decisions.decisionFor(intentId, requestKey);
    const body = {
      ...question,
      request_key: requestKey,
      decision,
      agent_retry_policy: this.#ownPolicy,
    };
    const opened = await openSuspension(this.connection, intentId, body, signal);
    if (decision !== undefined) this.#decisions.use(intentId, decision, requestKey);
    const onAttempt = (view: SuspensionView): Promise<boolean> =>
      this.#announce(intentId, view, signal);
    const settled = await waitUntilSettled(this.connection, opened, { signal, onAttempt });
    return this.#conclude(intentId, settled);
  }

  /**
   * Asks the server whether to act, to ask or to defer (R25-59). The event log and the next question of this intent contain
   * the decision. See `ensureMayAct`.
   */
  async shouldRequestInput(intentId: string, signals: Signals): Promise<EngagementDecision> {
    const path = pathOf('intents', intentId, '/engagement');
    const decision = await supported(this.connection.create<EngagementDecision>(path, signals));
    this.#decisions.keep(intentId, decision);
    this.#run('onEngagementDecision', () => this.#hooks.onEngagementDecision?.(decision, intentId));
    return decision;
  }

  /**
   * Waits for something other than a person, such as a rate limit or an external job (JC-47), and resolves with the outcome:
   * `resumed` with the data of its `resume_signal`, or its `timeout_outcome`. With a `request_key` the same call finds its
   * pause again after a crash. Throws InputCancelledError if it is withdrawn.
   */
  async pause(options: PauseOptions): Promise<PauseEnd> {
    return untilResumed(this.connection, options);
  }

  /** Resumes a pause that this agent opened, or that names it, by its `resume_signal`. Repeats return the first result. */
  async resume(
    suspensionId: string,
    body: ResumeBody,
    options: { idempotencyKey?: string } = {},
  ): Promise<AnswerReceipt> {
    return resumeSuspension(this.connection, suspensionId, body, options.idempotencyKey);
  }

  /** Adds a remark for the deciders to an open question of this agent. A repeat adds nothing. */
  async comment(suspensionId: string, text: string): Promise<SuspensionView> {
    const path = pathOf('suspensions', suspensionId, '/comments');
    return viewIn(await this.connection.write('POST', path, { body: { text } }));
  }

  /**
   * Asks a question without an intent, and resolves at once with the question. With a `request_key` the same call finds its
   * question again, even in another process.
   */
  async openQuestion(options: RequestInputOptions): Promise<SuspensionView> {
    const { signal, ...question } = options;
    const body = {
      ...question,
      request_key: question.request_key ?? randomKey(),
      agent_retry_policy: this.#ownPolicy,
    };
    return openAlone(this.connection, body, signal);
  }

  /** Waits for the end of a question without an intent, however long that takes. */
  async waitForQuestion(
    question: SuspensionView,
    options: WaitOptions = {},
  ): Promise<SuspensionView> {
    return waitUntilSettled(this.connection, question, options);
  }

  /** Withdraws a question without an intent. */
  async withdrawQuestion(suspensionId: string, reason?: string): Promise<SettledRecord> {
    return withdrawSuspension(this.connection, suspensionId, reason);
  }

  /**
   * Corrects an open question of this agent: the given fields replace those of the question, as its next version. Throws
   * HoldpointError: 409 `question_version_mismatch` if it was amended meanwhile, 409 if it is no longer open.
   */
  async amend(suspensionId: string, amendment: AmendBody): Promise<SuspensionView> {
    const path = pathOf('suspensions', suspensionId);
    return viewIn(await this.connection.write('PATCH', path, { body: amendment }));
  }

  /** Withdraws the open question; its waiters get InputCancelledError. */
  async cancelInput(intentId: string, request: CancelRequest = {}): Promise<SettledRecord> {
    const path = pathOf('intents', intentId, '/suspend/cancel');
    return supported(this.connection.write('POST', path, { body: request }));
  }

  /**
   * Calls the hook for an attempt, with the current intent (R25-93, R26-60). Resolves with false if the intent cannot be read
   * right now, which must not delay the answer.
   */
  async #announce(
    intentId: string,
    view: SuspensionView,
    signal: AbortSignal | undefined,
  ): Promise<boolean> {
    if (this.#hooks.onInputRequested === undefined) return true;
    try {
      const intent = await this.getIntent(intentId, { signal, tries: 1 });
      const asked = askedSuspension(view);
      this.#run('onInputRequested', () => this.#hooks.onInputRequested?.(intent, asked));
    } catch (error) {
      signal?.throwIfAborted();
      if (mayRepeat(error, 'always')) return false;
      reportHookError(error, 'onInputRequested', this.#onHookError);
    }
    return true;
  }

  #conclude(intentId: string, view: SuspensionView): JsonValue {
    const { record } = view;
    const asked = askedSuspension(view);
    switch (record.resolution) {
      case 'responded': {
        const response = inputResponse(view);
        this.#run('onInputReceived', () => this.#hooks.onInputReceived?.(response, asked));
        return response.value;
      }
      case 'expired':
        this.#run('onSuspensionExpired', () => this.#hooks.onSuspensionExpired?.(asked));
        if (fallbackCounts(record)) return record.fallback_value ?? null;
        throw endWithoutAnswer(intentId, view);
      case 'cancelled':
      case undefined:
        throw endWithoutAnswer(intentId, view);
    }
  }

  get #ownPolicy(): HumanRetryPolicy | null {
    return this.#policy ?? this.default_human_retry_policy;
  }

  #run(hook: keyof Hooks, run: () => unknown): void {
    runHook(hook, run, this.#onHookError);
  }
}

/** A retry policy in its written form: a missing field, or null, is inherited (R26-65, R26-81). */
export type HumanRetryPolicy = Readonly<PartialRetryPolicy>;

export interface AgentOptions extends ConnectionOptions {
  /** The middle level of the cascade (R26-71); it overrides the property of a subclass. */
  readonly default_human_retry_policy?: HumanRetryPolicy | null | undefined;
  readonly hooks?: Hooks | undefined;
  /** Called when a hook fails; by default the error goes to the console. */
  readonly onHookError?: HookErrorHandler | undefined;
}

/** The arguments of `requestInput()` (R25-87) in their wire names. */
export type RequestInputOptions = Omit<SuspendBody, 'agent_retry_policy'> & {
  /** Ends the wait, not the question: use `cancelInput()` to withdraw it. */
  readonly signal?: AbortSignal | undefined;
};
