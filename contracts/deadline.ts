/** The deadline of a portfolio that has come. */
export interface DueDeadline {
  readonly portfolio_id: string;
  /** ISO-8601; questions end as of then. */
  readonly deadline: string;
}

/** Questions that a deadline ends. */
export interface DeadlineBatch extends DueDeadline {
  readonly suspension_ids: readonly string[];
}
