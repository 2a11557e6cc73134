/** `reason` of a question that its portfolio's deadline ended, in its record and its event (R26-29). */
export const PORTFOLIO_DEADLINE = 'portfolio_deadline';
/** Why its intent was abandoned (R26-27), and what its agent is told (AM-38). */
export const PORTFOLIO_DEADLINE_EXCEEDED = 'portfolio_deadline_exceeded';
