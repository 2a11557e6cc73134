/**
 * The question as an attempt words it: the first asks, later ones remind, the last one urges
 * (R26-63). A question with one attempt is never urgent.
 */
export function wordQuestion(question: string, attempt: number, maxAttempts: number): string {
  if (attempt === 1) return `Input needed: ${question}`;
  if (attempt < maxAttempts) return `Reminder (${attempt}): ${question}`;
  return `URGENT — final reminder: ${question}`;
}
