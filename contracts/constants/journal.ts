/** The kinds of rows a suspension may leave to its intent to write. */
export const HANDED_OVER_KINDS = ['suspension_progress', 'suspension_settled', 'timeline'] as const;
export type HandedOverKind = (typeof HANDED_OVER_KINDS)[number];
