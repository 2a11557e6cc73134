import type { SuspensionView } from '../suspension-view.js';

/** What people usually say in place of no. A guess for questions whose asker has not said which answers deny. */
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

/** What of a question says whether an answer denies. */
type Asked = Pick<SuspensionView, 'rule'> & {
  readonly record: Pick<SuspensionView['record'], 'response_type' | 'choices' | 'denials'>;
};

/**
 * The answers that deny, as the asker said; undefined if it said nothing. An empty list in the rule is about votes and says
 * nothing here. The type of a yes or no says it too.
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
 * Whether an answer, or a fallback, says no, for programs that go on with a yes only. True for what the asker declared; if it
 * declared nothing, for the usual words. False only where the asker has said enough to know: the value is another one that is
 * offered and no usual word for no, or no answer denies. Null wherever it would be a guess that something is a go.
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
