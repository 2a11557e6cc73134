/** The part of a refusal that callers over HTTP or through the tools may see. */
export interface ShownRefusal {
  readonly code: string;
  readonly detail: string;
  readonly field?: string | undefined;
  readonly accepted?: string | undefined;
  /** The values to choose from, where one of them would be accepted. */
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

/** Returns the detail of a refusal, and after it what would be accepted, unless the detail says that already. */
export function detailWithAccepted(refusal: Omit<ShownRefusal, 'code'>): string {
  const { detail, field } = refusal;
  const allowed = acceptedInstead(refusal);
  if (allowed === undefined || detail.includes(allowed)) return detail;
  const isLong = allowed.length > SHOWN_CHARACTERS;
  const shown = isLong ? `${allowed.slice(0, SHOWN_CHARACTERS)}…` : allowed;
  const isNamed = field === undefined || shown.startsWith(`${field}: `);
  return `${detail} Accepted${isNamed ? '' : ` for ${field}`}: ${shown}.`;
}
