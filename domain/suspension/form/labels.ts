import { isBlank } from '../../../contracts/constants/visible-text.js';
import type {
  SuspensionChoice,
  SuspensionRecord,
} from '../../../contracts/suspension/suspension.js';
import { asSeen } from '../../kernel/seen-text.js';
import { quoted } from '../../kernel/text.js';
import { aboutOf, briefMeaning, clearMeaning, letterMeaning } from './label-meaning.js';
import type { About, Meaning } from './label-meaning.js';
import { validChoices } from '../answering/response.js';

type Asked = Pick<SuspensionRecord, 'response_type' | 'choices' | 'denials'> &
  Partial<Pick<SuspensionRecord, 'question'>>;

/** Why people would misread a choice. */
export interface LabelFault {
  readonly index: number;
  readonly detail: string;
  readonly accepted: string;
}

/** Returns the meaning of a value: of its word, or as the asker declared. */
function meaningOfChoice(value: string, denials: readonly string[] = []): Meaning | undefined {
  if (value === 'yes' || value === 'no' || denials.length === 0) return briefMeaning(value);
  return denials.includes(value) ? 'no' : 'yes';
}

/** A label is read closely only if its value says yes or no; otherwise only a plain yes or no counts. */
function opposite(
  { value, label }: SuspensionChoice,
  about: About,
  denials?: readonly string[],
): boolean {
  const meant = meaningOfChoice(value, denials);
  if (meant === undefined) return false;
  const own = briefMeaning(value);
  const isPlain = value === 'yes' || value === 'no';
  const said =
    own === undefined
      ? briefMeaning(label)
      : (clearMeaning(label, value, about) ?? (isPlain ? letterMeaning(label) : undefined));
  // A value that means no itself, such as cancel, gets a warning.
  return said !== undefined && said !== meant && said !== own;
}

/**
 * Returns the first choice whose label is invisible, misleading in English, or like another; undefined if all are
 * clear.
 */
export function labelFault({ denials, question, ...asked }: Asked): LabelFault | undefined {
  const seen = new Map<string, string>();
  // An unlisted yes or no is shown too, after the listed ones.
  const listed = asked.choices ?? [];
  const all = [...listed, ...validChoices(asked).filter((choice) => !listed.includes(choice))];
  const labels = all.map(({ label }) => label);
  const about = aboutOf(question ?? '', labels);
  for (const [index, choice] of all.entries()) {
    const { value, label } = choice;
    if (isBlank(label)) {
      const detail = `The label of ${quoted(value)} is blank.`;
      return { index, detail, accepted: 'a label that people can see' };
    }
    if (opposite(choice, about, denials)) {
      const detail = `The label of ${quoted(value)} says the opposite: ${quoted(label)}.`;
      return { index, detail, accepted: 'a label that says what is chosen' };
    }
    const look = asSeen(label);
    const other = seen.get(look);
    if (other !== undefined) {
      const detail = `The labels of ${quoted(other)} and ${quoted(value)} look the same.`;
      const last = Math.min(index, listed.length - 1);
      return { index: last, detail, accepted: 'a label that no other choice has' };
    }
    seen.set(look, value);
  }
  return undefined;
}
