import { USUAL_DENIALS, isUsualDenial } from '../../../contracts/constants/denial.js';
import { isBlank } from '../../../contracts/constants/visible-text.js';
import type {
  SuspensionChoice,
  SuspensionRecord,
} from '../../../contracts/suspension/suspension.js';
import { asSeen } from '../../kernel/look-alikes.js';
import { quoted } from '../../kernel/text.js';
import { validChoices } from '../answering/response.js';
import type { Ruling } from '../../../contracts/kernel/problem.js';
import type { SuspendRequest } from '../../../contracts/suspension/requests.js';
import { ok, refuse } from '../../kernel/ruling.js';

type Asked = Pick<SuspensionRecord, 'response_type' | 'choices' | 'denials'>;

export interface LabelFault {
  readonly index: number;
  readonly detail: string;
  readonly accepted: string;
}

type Meaning = 'yes' | 'no';

/** The words that mean yes or no, as people see them. */
const WORDS: ReadonlyMap<string, Meaning> = new Map([
  ...['yes', 'true', 'approve', 'approved'].map((word) => [asSeen(word), 'yes'] as const),
  ...[...USUAL_DENIALS, 'false'].map((word) => [asSeen(word), 'no'] as const),
]);

/** The meaning of a text that is one of the words, in whatever case. */
function wordMeaning(text: string): Meaning | undefined {
  return WORDS.get(asSeen(text.toLowerCase()));
}

/** The meaning of a value: of its word, or as the asker declared. */
function meaningOfChoice(value: string, denials: readonly string[] = []): Meaning | undefined {
  if (value === 'yes' || value === 'no' || denials.length === 0) return wordMeaning(value);
  return denials.includes(value) ? 'no' : 'yes';
}

/** Whether the label is a word for the opposite of the value. */
function isOpposite({ value, label }: SuspensionChoice, denials?: readonly string[]): boolean {
  const meant = meaningOfChoice(value, denials);
  const said = wordMeaning(label);
  if (meant === undefined || said === undefined) return false;
  // A value that itself means no, such as cancel, only gets a warning.
  return said !== meant && said !== wordMeaning(value);
}

/** Returns the first choice whose label is invisible, the opposite word, or like another; undefined if all are clear. */
export function labelFault({ denials, ...asked }: Asked): LabelFault | undefined {
  const seen = new Map<string, string>();
  // An unlisted yes or no is shown too, after the listed ones.
  const listed = asked.choices ?? [];
  const all = [...listed, ...validChoices(asked).filter((choice) => !listed.includes(choice))];
  for (const [index, choice] of all.entries()) {
    const { value, label } = choice;
    if (isBlank(label)) {
      const detail = `The label of ${quoted(value)} is blank.`;
      return { index, detail, accepted: 'a label that people can see' };
    }
    if (isOpposite(choice, denials)) {
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

type AskedDenials = Pick<SuspendRequest, 'response_type' | 'denials' | 'decision_rule'>;

function saysTwice(): Ruling<never> {
  return refuse('invalid_decision_rule', 'It is said twice which answers deny, not alike.', {
    field: 'denials',
    accepted: 'denials or decision_rule.denials, or the same in both',
  });
}

function hasSame(one: readonly string[], other: readonly string[]): boolean {
  return [...new Set(one)].sort().join('\n') === [...new Set(other)].sort().join('\n');
}

/**
 * Returns the denials that the asker declares beside the rule or in it, each once; undefined if there are none.
 * Refuses `invalid_decision_rule` for a value that is no possible answer, and for two lists that differ.
 */
export function declaredDenials(
  { response_type, denials, decision_rule }: AskedDenials,
  choices: readonly SuspensionChoice[] | undefined,
): Ruling<readonly string[] | undefined> {
  const inRule = decision_rule?.denials;
  if (denials && inRule && !hasSame(denials, inRule)) return saysTwice();
  const declared = denials ?? (inRule?.length ? inRule : undefined);
  if (declared === undefined) return ok(undefined);
  const asked = { response_type, ...(choices && { choices: [...choices] }) };
  const values = validChoices(asked).map(({ value }) => value);
  if (declared.every((value) => values.includes(value))) return ok([...new Set(declared)]);
  return refuse('invalid_decision_rule', 'A denial is none of the choices.', {
    field: denials ? 'denials' : 'decision_rule.denials',
    accepted: values.length > 0 ? 'values of the choices' : 'nothing, or an empty list',
  });
}

/**
 * Warns of choices that look like a no although the asker declared other denials, so that they count neither as a no
 * nor as a yes.
 */
export function denialWarnings(
  choices: readonly SuspensionChoice[] = [],
  declared?: readonly string[],
): readonly string[] {
  if (declared === undefined || declared.length === 0) return [];
  return choices
    .filter(({ value }) => isUsualDenial(value) && !declared.includes(value))
    .map(
      ({ value }) =>
        `The choice ${quoted(value)} is not among the denials: nothing says whether it is a go.`,
    );
}
