/** What was erased. `through_sequence` and `event_sequence` are those of the log of an intent. */
export interface ErasuresTable {
  kind: 'intent' | 'suspension' | 'approval';
  id: string;
  erased_at: string;
  erased_by: string;
  through_sequence: number | null;
  event_sequence: number | null;
}
