/** What an upkeep workflow does. */
export interface UpkeepInput {
  /** Sign a checkpoint over all logs, or deliver those that are signed. */
  readonly work: 'checkpoint' | 'delivery';
}
