import type { TextFormat } from '../../../contracts/suspension/suspension.js';
import { marked } from '../state/marked.js';
import type { Piece } from '../state/marked.js';
import { visible } from '../state/visible.js';
import { OutsideLink } from './OutsideLink.js';
import { Written, WrittenIn } from './Written.js';
import css from './QuestionText.module.css';

interface QuestionTextProps {
  readonly text: string;
  readonly format?: TextFormat | undefined;
}

/**
 * The whole text of a question. If its asker declared it as Markdown, every character still stands there as it was written, and
 * the marks are paler than the words.
 */
export function QuestionText({ text, format = 'plain' }: QuestionTextProps) {
  if (format !== 'markdown') return <Written text={text} as="div" />;
  return (
    <WrittenIn className={css.text}>
      <Pieces pieces={marked(visible(text))} />
    </WrittenIn>
  );
}

function Pieces({ pieces }: { readonly pieces: readonly Piece[] }) {
  return pieces.map((piece, index) => <One key={index} piece={piece} />);
}

function One({ piece }: { readonly piece: Piece }) {
  if ('text' in piece) {
    if (piece.kind === 'mark') return <span data-mark="">{piece.text}</span>;
    return piece.kind === 'code' ? <code>{piece.text}</code> : piece.text;
  }
  const inner = <Pieces pieces={piece.pieces} />;
  switch (piece.kind) {
    case 'emphasis':
      return <em>{inner}</em>;
    case 'strong':
    case 'heading':
      return <strong>{inner}</strong>;
    case 'link':
      return (
        <OutsideLink href={piece.href ?? ''} words={wordsIn(piece.pieces)}>
          {inner}
        </OutsideLink>
      );
  }
}

/** Returns the words of pieces, without their marks. */
function wordsIn(pieces: readonly Piece[]): string {
  return pieces
    .map((piece) =>
      'pieces' in piece ? wordsIn(piece.pieces) : piece.kind === 'mark' ? '' : piece.text,
    )
    .join('');
}
