/**
 * The findings about a question when it was asked or amended, outside of workflow code. They travel beside the
 * record, and neither hashes nor agents see them. A question without them is judged at its end: one of an earlier
 * version, or one without a schema, such as those of plans.
 */
export interface QuestionFindings {
  /** The policy returns a value that no operator could give. */
  readonly fallback_value_valid?: false;
  /** Sentences for the asker, and for who reads the question. */
  readonly warnings?: readonly string[];
}
