import { utf8Length } from './utf8.js';

/** Temporal takes summaries of up to 400 bytes. */
const SUMMARY_BYTES = 300;

/** A text on one line, short enough for a workflow's summary, cut between characters and marked where cut. */
export function summaryOf(text: string): string {
  let summary = '';
  for (const character of text.replace(/\s+/g, ' ').trim()) {
    const longer = summary + character;
    if (utf8Length(JSON.stringify(longer)) > SUMMARY_BYTES) return `${summary}…`;
    summary = longer;
  }
  return summary;
}
