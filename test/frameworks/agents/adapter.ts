/** A call of the tool `wire` that a model is to make. */
export interface ScriptedCall {
  readonly id: string;
  readonly to: string;
  readonly amount: number;
}

/** What a model does: its calls in each turn. After the last turn it says that it is done. */
export type Script = readonly (readonly ScriptedCall[])[];

export const DONE = 'All done.';

/** One framework, as the twelve cases use it. */
export interface AdapterUnderTest {
  /** What a run begins with. Its first message is the script, so that any process can play the model. */
  begin(script: Script): object;
  /** Continues a run: with what the agent says at its end, or with the parked turn if it waits for people. */
  go(run: string, turn: unknown): Promise<unknown>;
  /** The results of calls that the model has read when it was last asked, as texts. */
  results(): readonly string[];
  /** The parked turn with another amount in its calls; `all`: also without what tells that it is another. */
  tampered(turn: object, amount: number, all: boolean): object | Promise<object>;
  /** Runs an agent that has the script carried out by another agent, which waits for people itself. */
  delegate(run: string, script: Script): Promise<unknown>;
}
