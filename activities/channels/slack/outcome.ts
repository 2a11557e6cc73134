import type { KnownBlock } from '@slack/web-api';
import type { OutgoingOutcome } from '../../../contracts/channel/follow-up.js';
import { beforeIn, editIn, entryText, notesIn } from '../entries.js';
import { proposalText } from '../proposal.js';
import {
  BRIEF_CHARACTERS,
  SUMMARY_CHARACTERS,
  charactersIn,
  markup,
  roomBeside,
  sections,
  small,
} from './blocks.js';
import type { SlackMessage } from './blocks.js';
import { instantForAll, isPlain, shownLength, summaryLine } from './text.js';

const NAME_CHARACTERS = 1_000;
const NOTES_CHARACTERS = 3_000;

/** The same message once its question is over: nothing is left to press. Pure. */
export function outcomeBlocks(outcome: OutgoingOutcome): SlackMessage {
  const { question } = outcome;
  const said = [...editBlocks(outcome), ...saidOf(outcome), ...noteBlocks(outcome)];
  const decided = decidedBlocks(outcome, roomBeside(said) - shownLength(question));
  const asked = sections(question, roomBeside([...said, ...decided]));
  return { text: endOf(outcome), blocks: [...asked, ...decided, ...said] };
}

/** The same with no more than the question and what became of it, for when Slack does not take all. Pure. */
export function briefOutcome(outcome: OutgoingOutcome): SlackMessage {
  const asked = sections(outcome.question, BRIEF_CHARACTERS);
  const decided = decidedBlocks(outcome, 0);
  const note = outcome.notes === undefined ? [] : [small('The note with it is in the inbox.')];
  const said = [...decided, ...editBlocks(outcome), ...saidOf(outcome), ...note];
  return { text: endOf(outcome), blocks: [...asked, ...said] };
}

function endOf(outcome: OutgoingOutcome): string {
  const { by = '', choice_label = '', question } = outcome;
  const texts = [by, choice_label, question].map((text) => summaryLine(text, SUMMARY_CHARACTERS));
  return [whatHappened(outcome), ...texts].filter(Boolean).join(' · ');
}

/** Who answered what stands in our sentence, unless Slack would read some of it as markup: then below it, in plain text. */
function saidOf(outcome: OutgoingOutcome): KnownBlock[] {
  const { by, choice_label } = outcome;
  if ([by, choice_label].every((text) => text === undefined || isPlain(text))) {
    return [markup(whatHappened(outcome, by, choice_label))];
  }
  const who = by === undefined ? [] : [`by ${by}`];
  const what = choice_label === undefined ? [] : [choice_label];
  return [
    markup(whatHappened(outcome)),
    ...sections([...who, ...what].join(': '), NAME_CHARACTERS),
  ];
}

/** @param by,label - only texts that are no markup */
function whatHappened({ outcome, at }: OutgoingOutcome, by?: string, label?: string): string {
  const when = instantForAll(at);
  if (outcome === 'expired') return `*Expired* ${when}: nobody answered in time.`;
  if (outcome === 'withdrawn') return `*Withdrawn* ${when}.`;
  const who = by === undefined ? '' : ` by ${by}`;
  return `*Answered*${who} ${when}${label === undefined ? '' : `: *${label}*`}`;
}

/** The decided proposal, which may be another version than the message showed before. */
function decidedBlocks(outcome: OutgoingOutcome, room: number): KnownBlock[] {
  const { question, approval } = outcome;
  if (approval === undefined) return [];
  const text = proposalText({ text: question, approval });
  const blocks =
    text === undefined ? [] : [markup('*Decided on, in full:*'), ...sections(text, Infinity)];
  if (text === undefined || charactersIn(blocks) > room) {
    return [small('What was decided on is in the inbox.')];
  }
  for (const { title, text: before } of beforeIn(outcome)) {
    const asked = [markup(`*${title}*`), ...sections(before, Infinity)];
    if (charactersIn([...blocks, ...asked]) <= room) blocks.push(...asked);
  }
  return blocks;
}

function editBlocks(outcome: OutgoingOutcome): KnownBlock[] {
  const edit = editIn(outcome);
  return edit === undefined ? [] : [small(edit.text, edit.calls)];
}

function noteBlocks(outcome: OutgoingOutcome): KnownBlock[] {
  return sections(notesIn(outcome).map(entryText).join('\n'), NOTES_CHARACTERS);
}
