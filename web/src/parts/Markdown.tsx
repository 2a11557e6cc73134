import { marked } from '../state/marked.js';
import type { Piece } from '../state/marked.js';
import { visible } from '../state/visible.js';
import { OutsideLink } from './OutsideLink.js';
import { WrittenIn } from './Written.js';
import css from './Markdown.module.css';

/** A text of an agent that declared it as Markdown: nothing of it is dropped or counted anew, and its marks are paler than words. */
export function Markdown({ text }: { readonly text: string }) {
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
  switch (piece.kind) {
    case 'text':
      return piece.text;
    case 'mark':
      return <span data-mark="">{piece.text}</span>;
    case 'code':
      return <code>{piece.text}</code>;
    case 'emphasis':
      return (
        <em>
          <Pieces pieces={piece.pieces} />
        </em>
      );
    case 'strong':
    case 'heading':
      return (
        <strong>
          <Pieces pieces={piece.pieces} />
        </strong>
      );
    case 'link':
      return (
        <OutsideLink href={piece.href ?? ''} words={wordsIn(piece.pieces)}>
          <Pieces pieces={piece.pieces} />
        </OutsideLink>
      );
  }
}

/** What pieces say, without their marks. */
function wordsIn(pieces: readonly Piece[]): string {
  return pieces
    .map((piece) =>
      'pieces' in piece ? wordsIn(piece.pieces) : piece.kind === 'mark' ? '' : piece.text,
    )
    .join('');
}
