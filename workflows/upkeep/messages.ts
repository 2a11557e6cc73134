export interface UpkeepInput {
  /**
   * Sign a checkpoint over all logs, deliver signed ones, remove what ended long enough ago, update messages whose
   * questions changed, or notify browsers of new questions.
   */
  readonly work: 'checkpoint' | 'delivery' | 'retention' | 'follow_ups' | 'pushes';
}
