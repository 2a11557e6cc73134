import type { Ruling } from '../../../contracts/kernel/problem.js';
import type { SuspendRequest } from '../../../contracts/suspension/requests.js';
import type { SuspensionChoice } from '../../../contracts/suspension/suspension.js';
import { isUsualDenial } from '../../../contracts/constants/denial.js';
import { ok, refuse } from '../../kernel/ruling.js';
import { quoted } from '../../kernel/text.js';
import { validChoices } from '../answering/response.js';

type Asked = Pick<SuspendRequest, 'response_type' | 'denials' | 'decision_rule'>;

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
 * Refuses `invalid_decision_rule` for a value that nobody can answer with, and for two lists that differ.
 */
export function declaredDenials(
  { response_type, denials, decision_rule }: Asked,
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

/** Says which choices look like a no and are none by what the asker declared, so that they count neither as a no nor as a go. */
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
