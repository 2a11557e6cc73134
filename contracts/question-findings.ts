/**
 * What was found about a question outside of workflow code when it was asked, and again when it was amended. It travels beside
 * the record, and is no part of what is hashed or of what the agent reads. A question without it is judged at its end: one of an
 * earlier version, and one without a schema, such as those that plans ask or that are written into the state of an intent.
 */
export interface QuestionFindings {
  /** The policy returns a value that no operator could give. */
  readonly fallback_value_valid?: false;
  /** Sentences for the asker, and for who reads the question. */
  readonly warnings?: readonly string[];
}
