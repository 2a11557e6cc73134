/** What an upkeep workflow does. */
export interface UpkeepInput {
  /** Sign a checkpoint over all logs, deliver those that are signed, or remove what is over for long enough. */
  readonly work: 'checkpoint' | 'delivery' | 'retention';
}
