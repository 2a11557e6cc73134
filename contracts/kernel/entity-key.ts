/** A question, an intent or an approval in its space; ids are unique within one. */
export interface EntityKey {
  readonly id: string;
  readonly space: string;
}
