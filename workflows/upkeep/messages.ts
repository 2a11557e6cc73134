/** What an upkeep workflow does. */
export interface UpkeepInput {
  /**
   * Sign a checkpoint over all logs, deliver those that are signed, remove what is over for long enough, tell messages
   * what has become of their questions, or tell browsers of questions that came.
   */
  readonly work: 'checkpoint' | 'delivery' | 'retention' | 'follow_ups' | 'pushes';
}
