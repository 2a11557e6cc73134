import type { SuspensionView } from '../suspension/view.js';

/** Usual words for no. They are a guess for questions whose asker has not said which answers deny. */
export const USUAL_DENIALS: readonly string[] = [
  'no',
  'reject',
  'rejected',
  'deny',
  'denied',
  'decline',
  'declined',
  'cancel',
  'cancelled',
  'canceled',
  'abort',
  'aborted',
];

/** A longer text is no single word. */
const MOST_CHARACTERS = 100;

/** Whether a whole text is one of the usual words for no, in whatever case and width. */
export function isUsualDenial(text: string): boolean {
  if (text.length > MOST_CHARACTERS) return false;
  return USUAL_DENIALS.includes(text.normalize('NFKC').trim().toLowerCase());
}

/** The part of a question that says whether an answer denies. */
type Asked = Pick<SuspensionView, 'rule'> & {
  readonly record: Pick<SuspensionView['record'], 'response_type' | 'choices' | 'denials'>;
};

/**
 * Returns the answers that deny according to the asker, or undefined. An empty list in the rule is about votes and
 * says nothing here; the type `confirm` says that "no" denies.
 */
function declaredIn({ record, rule }: Asked): readonly string[] | undefined {
  if (record.denials !== undefined) return record.denials;
  if (rule.denials.length > 0) return rule.denials;
  return record.response_type === 'confirm' ? ['no'] : undefined;
}

function offeredBy({ record: { response_type, choices = [] } }: Asked): readonly string[] {
  return response_type === 'confirm' ? ['yes', 'no'] : choices.map(({ value }) => value);
}

/**
 * Whether an answer or a fallback says no, for programs that go on only after a yes. True for declared denials or, if
 * none were declared, for the usual words. False only if the asker has said enough: the value is another offered one
 * and no usual word for no, or no answer denies. Null wherever a yes would be a guess.
 */
export function isDenial(asked: Asked, value: unknown): boolean | null {
  const declared = declaredIn(asked);
  if (declared?.length === 0) return false;
  if (typeof value !== 'string') return null;
  if (declared?.includes(value)) return true;
  const isUsual = isUsualDenial(value);
  if (declared && offeredBy(asked).includes(value)) return isUsual ? null : false;
  return isUsual ? true : null;
}
