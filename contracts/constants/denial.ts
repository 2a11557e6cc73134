import type { SuspensionView } from '../suspension/view.js';

/** Usual words for no. They are only a guess, for questions whose asker has not said which answers deny. */
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

/** A longer text is not compared with the usual words. */
const MOST_CHARACTERS = 100;

/** Whether a whole text is one of the usual words for no, ignoring case and width. */
export function isUsualDenial(text: string): boolean {
  if (text.length > MOST_CHARACTERS) return false;
  return USUAL_DENIALS.includes(text.normalize('NFKC').trim().toLowerCase());
}

/** The part of a question that says whether an answer denies. */
type Asked = Pick<SuspensionView, 'rule'> & {
  readonly record: Pick<SuspensionView['record'], 'response_type' | 'choices' | 'denials'>;
};

/**
 * Returns the answers that the asker declared as denials, or undefined. An empty list in the rule is about votes and
 * means nothing here; for the type `confirm`, "no" denies.
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
 * Whether an answer or a fallback says no, for programs that continue only after a yes. True for declared denials or,
 * if none were declared, for the usual words. False only if the asker declared enough: the value is another offered
 * one and no usual word for no, or no answer denies. Null wherever a yes would be a guess.
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

/** The part of a refusal that callers over HTTP or through the tools may see. */
export interface ShownRefusal {
  readonly code: string;
  readonly detail: string;
  readonly field?: string | undefined;
  readonly accepted?: string | undefined;
  /** The accepted values, if one can be chosen from a list. */
  readonly valid_choices?: readonly string[] | undefined;
}

/** A description of the accepted values; undefined if the refusal has none. */
export function acceptedInstead({
  accepted,
  valid_choices: choices = [],
}: Pick<ShownRefusal, 'accepted' | 'valid_choices'>): string | undefined {
  return choices.length > 0 ? choices.join(', ') : accepted;
}

/** Longer lists of accepted values are cut: a question may have a hundred choices. */
const SHOWN_CHARACTERS = 1_000;

/** Returns the detail of a refusal, followed by what would be accepted, unless the detail says that already. */
export function detailWithAccepted(refusal: Omit<ShownRefusal, 'code'>): string {
  const { detail, field } = refusal;
  const allowed = acceptedInstead(refusal);
  if (allowed === undefined || detail.includes(allowed)) return detail;
  const isLong = allowed.length > SHOWN_CHARACTERS;
  const shown = isLong ? `${allowed.slice(0, SHOWN_CHARACTERS)}…` : allowed;
  const isNamed = field === undefined || shown.startsWith(`${field}: `);
  return `${detail} Accepted${isNamed ? '' : ` for ${field}`}: ${shown}.`;
}
