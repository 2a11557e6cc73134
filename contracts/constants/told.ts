/** Why something was refused, as far as somebody is told who reaches the service over HTTP or through its tools. */
export interface Told {
  readonly code: string;
  readonly detail: string;
  readonly field?: string | undefined;
  readonly accepted?: string | undefined;
  /** The values to choose from, where one of them would be accepted. */
  readonly valid_choices?: readonly string[] | undefined;
}

/** What would be accepted in place of what was refused, in words; undefined if nobody says. */
export function acceptedInstead({
  accepted,
  valid_choices: choices = [],
}: Pick<Told, 'accepted' | 'valid_choices'>): string | undefined {
  return choices.length > 0 ? choices.join(', ') : accepted;
}
