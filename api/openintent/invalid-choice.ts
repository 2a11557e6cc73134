import type { SuspensionChoice, SuspensionRecord } from '../../contracts/suspension.js';
import { validChoices } from '../../domain/response.js';
import { RefusalError } from '../errors.js';

/** The 422 of a value that is none of the choices; it carries them whole. */
export class InvalidChoice extends RefusalError {
  readonly choices: readonly SuspensionChoice[];

  private constructor(choices: readonly SuspensionChoice[], value: unknown) {
    const values = choices.map((choice) => quoted(choice.value)).join(', ');
    const detail = `Value ${quoted(value)} is not a valid choice. Expected one of: [${values}]`;
    super({ code: 'invalid_value', detail });
    this.choices = choices;
  }

  /** Undefined for a question that has no choices. */
  static of(record: SuspensionRecord, value: unknown): InvalidChoice | undefined {
    const choices = validChoices(record);
    return choices.length === 0 ? undefined : new InvalidChoice(choices, value);
  }

  /** The body's `detail`. */
  get told() {
    return { error: 'invalid_choice', message: this.refusal.detail, valid_choices: this.choices };
  }
}

/** As Python shows a text. */
function quoted(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : JSON.stringify(value);
}
