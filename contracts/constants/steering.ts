/**
 * Characters that steer how a text is shown, beside line breaks and tabs: control characters, other line ends, and the marks
 * that turn the order of bidirectional text. What agents write is shown to people, who must not see something else than is
 * there. It matches one character at a time.
 */
export const STEERING_IN_LINES =
  /[^\P{Cc}\n\t]|[\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** The same with line breaks and tabs, for a text of one line. */
export const STEERING = new RegExp(`${STEERING_IN_LINES.source}|[\\n\\t]`, 'gu');

/**
 * The same with characters that nobody sees, such as a space without width. Joiners, and what
 * chooses the form of a character, stay where emoji and scripts need them; after Latin, Greek and Cyrillic letters, digits and
 * marks they do nothing but hide.
 */
export const UNSEEN_IN_LINES = new RegExp(
  [
    STEERING_IN_LINES.source,
    String.raw`(?![\u200c\u200d\ufe00-\ufe0f])\p{Default_Ignorable_Code_Point}`,
    String.raw`(?<=^|[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{N}\p{P}\p{Sc}\p{Sm}\p{Z}\p{Cf}\n\t])[\u200c\u200d]`,
    String.raw`(?<=[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Nd}])[\ufe00-\ufe0f](?!\u20e3)`,
  ].join('|'),
  'gu',
);
