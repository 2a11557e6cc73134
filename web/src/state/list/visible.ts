import {
  unseenInLines,
  isBlank,
  shownCode,
  visible,
  visibleJson,
} from '../../../../contracts/constants/visible-text.js';

export { isBlank, visible };

interface Piece {
  readonly is: string;
  readonly shown: string;
}

/**
 * Returns a text after an edit of its visible form. Characters that are shown by their codes stay unless they were
 * changed; typed text is literal, even if it looks like such a code.
 *
 * @param before - the text that `visible` showed
 * @param typed - the edited visible form
 * @param caret - the position of the cursor, which is after the typed text; by default the end
 */
export function edited(before: string, typed: string, caret = typed.length): string {
  const pieces = piecesOf(before);
  const shown = pieces.map((piece) => piece.shown).join('');
  const most = Math.min(shown.length, typed.length);
  let behind = 0;
  while (behind < Math.min(most, typed.length - caret) && isSameFromEnd(shown, typed, behind + 1)) {
    behind += 1;
  }
  let ahead = 0;
  while (ahead < most - behind && shown[ahead] === typed[ahead]) ahead += 1;
  const kept = keptOf(pieces, ahead, shown.length - behind);
  return kept.first + typed.slice(ahead, typed.length - behind) + kept.last;
}

function isSameFromEnd(one: string, other: string, back: number): boolean {
  return one[one.length - back] === other[other.length - back];
}

/** Returns the text before one place of its visible form, and after another. A code that is cut becomes plain characters. */
function keptOf(pieces: readonly Piece[], until: number, from: number) {
  let first = '';
  let last = '';
  let at = 0;
  for (const { is, shown } of pieces) {
    const end = at + shown.length;
    if (end <= until) first += is;
    else if (at < until) first += shown.slice(0, until - at);
    if (at >= from) last += is;
    else if (end > from) last += shown.slice(from - at);
    at = end;
  }
  return { first, last };
}

/** Splits a text into characters, each with its visible form. */
function piecesOf(text: string): readonly Piece[] {
  return text
    .split('\r\n')
    .flatMap((line, index) => [
      ...(index > 0 ? [{ is: '\r\n', shown: '\n' }] : []),
      ...piecesOfLine(line),
    ]);
}

function piecesOfLine(line: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  const plain = (to: number) => {
    // One by one, so that the text can be cut between any two.
    for (const half of line.slice(from, to).split('')) pieces.push({ is: half, shown: half });
  };
  for (const { 0: unseen, index } of line.matchAll(unseenInLines())) {
    plain(index);
    for (const is of Array.from(unseen)) pieces.push({ is, shown: shownCode(is) });
    from = index + unseen.length;
  }
  plain(line.length);
  return pieces;
}

/** Writes a value as JSON to show and edit it. Invisible characters are escaped, so that the value stays the same. */
export function pretty(value: unknown): string {
  return visibleJson(JSON.stringify(value, null, 2));
}
