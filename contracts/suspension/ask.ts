import type { JsonObject, JsonValue } from '../kernel/primitives.js';
import type { SuspensionChoice } from './suspension.js';

/*
 * What `ask` accepts and returns, over HTTP and in workflows. It has short names of its own; the wire keeps those of
 * the specification (R25-87, R25-89), and `questionOf` of `contracts/constants/ask.ts` converts between them.
 */

/** A choice: its value, which people see too, or an object with another label. */
export type AskChoice =
  | string
  | (Pick<SuspensionChoice, 'value'> & {
      readonly label?: string | undefined;
      readonly description?: string | undefined;
      readonly style?: SuspensionChoice['style'];
    });

/** The value of an answer with this choice. */
export type ValueOfChoice<Choice extends AskChoice> = Choice extends string
  ? Choice
  : Choice extends { readonly value: infer Value extends string }
    ? Value
    : never;

export interface AskTo {
  /** Principals that may answer. */
  readonly people?: readonly string[] | undefined;
  /** Groups whose members may answer. */
  readonly groups?: readonly string[] | undefined;
  /** The channel that notifies them; by default that of the installation, with its usual recipients. */
  readonly channel?: string | undefined;
}

/** How often people are reminded. This also determines when the question expires: one `every` after the last reminder. */
export interface AskRemind {
  /** The time between two reminders, as a duration such as `15m`. */
  readonly every: string;
  /** The number of reminders, from 1 to 99. Optional if `timeout` determines when the question expires. */
  readonly times?: number | undefined;
}

interface AnyQuestion {
  /** What people need to know to decide, as named values. */
  readonly context?: JsonObject | undefined;
  /**
   * How long people have to answer: `90s`, `15m`, `1h30m`, `2d`. Without it and without `remind` the question never
   * expires. If a retry policy of the installation or of the agent asks again, this is the time of one attempt.
   */
  readonly timeout?: string | undefined;
  readonly remind?: AskRemind | undefined;
  /** Who may answer: a principal, or people and groups; by default every operator. */
  readonly to?: string | AskTo | undefined;
}

/** Options of a question that is answered with yes or no. */
export interface ConfirmOptions extends AnyQuestion {
  readonly choices?: undefined;
  readonly text?: undefined;
  readonly form?: undefined;
  /** The result if nobody answers in time, instead of InputTimeoutError. */
  readonly fallback?: 'yes' | 'no' | undefined;
}

/** Options of a question that is answered by one of its choices. */
export interface ChoiceOptions<Choice extends AskChoice = AskChoice> extends AnyQuestion {
  readonly choices: readonly Choice[];
  readonly text?: undefined;
  readonly form?: undefined;
  /** The value that is returned if nobody answers in time, instead of InputTimeoutError. */
  readonly fallback?: ValueOfChoice<Choice> | undefined;
}

/** Options of a question that is answered with a text. */
export interface TextOptions extends AnyQuestion {
  readonly choices?: undefined;
  readonly text: true;
  readonly form?: undefined;
  /** The text that is returned if nobody answers in time, instead of InputTimeoutError. */
  readonly fallback?: string | undefined;
}

/** Options of a question that is answered by a form. */
export interface FormOptions extends AnyQuestion {
  readonly choices?: undefined;
  readonly text?: undefined;
  /** A JSON Schema of the answer. */
  readonly form: JsonObject;
  /** The value that is returned if nobody answers in time, instead of InputTimeoutError. */
  readonly fallback?: JsonValue | undefined;
}

/** The options of `ask` besides the question. */
export type AskOptions = ConfirmOptions | ChoiceOptions | TextOptions | FormOptions;

/** A person's answer, or the fallback where nobody answered in time. */
export interface AskResult<Value extends JsonValue = JsonValue> {
  readonly value: Value;
  /** The choice with this value; null for texts, forms, and a fallback that is no choice. */
  readonly choice: SuspensionChoice | null;
  /** Who answered; null for the fallback. */
  readonly by: string | null;
  /** The reason that the person gave, if any. */
  readonly comment: string | null;
  /** When it was answered, or when the fallback took effect (ISO-8601). */
  readonly at: string;
  /** Whether nobody answered in time, so that the value is the `fallback`. */
  readonly is_fallback: boolean;
  readonly suspension_id: string;
}

/** The answer to a question of yes or no. */
export interface ConfirmResult extends AskResult<'yes' | 'no'> {
  /** Whether the value is `yes`. */
  readonly approved: boolean;
}

/** The result of any question; `approved` is set only for yes/no questions. */
export type AnyAskResult = AskResult & Partial<Pick<ConfirmResult, 'approved'>>;
