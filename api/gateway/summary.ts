/** Temporal takes summaries of up to 400 bytes. */
const SUMMARY_BYTES = 300;

/** A title short enough for a workflow's summary, cut between characters and marked where cut. */
export function summaryOf(title: string): string {
  let summary = '';
  for (const character of title) {
    const longer = summary + character;
    if (Buffer.byteLength(JSON.stringify(longer)) > SUMMARY_BYTES) return `${summary}…`;
    summary = longer;
  }
  return summary;
}
