/** The deadline of a portfolio that has come. */
export interface DueDeadline {
  readonly portfolio_id: string;
  /** ISO-8601; questions end as of then. */
  readonly deadline: string;
}

/** What a deadline ends: questions, and the waits of intents whose question is still to come. */
export interface DeadlineBatch extends DueDeadline {
  readonly suspension_ids: readonly string[];
  readonly intent_ids?: readonly string[];
}
