import type { TextFormat } from '../../../../contracts/suspension/suspension.js';
import { marked, type Piece } from '../../state/list/marked.js';
import { visible } from '../../state/list/visible.js';
import { OutsideLink } from './Text.js';
import { Written, WrittenIn } from './Written.js';
import css from './QuestionText.module.css';
import type { JsonObject } from '../../../../contracts/kernel/primitives.js';
import { Context } from './Context.js';
import { Folded } from '../ui.js';

interface QuestionTextProps {
  readonly text: string;
  readonly format?: TextFormat | undefined;
}

/** The whole text of a question. Declared Markdown keeps every character, with the marks paler than the words. */
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

function wordsIn(pieces: readonly Piece[]): string {
  return pieces
    .map((piece) =>
      'pieces' in piece ? wordsIn(piece.pieces) : piece.kind === 'mark' ? '' : piece.text,
    )
    .join('');
}

interface ElsewhereProps {
  readonly context: JsonObject;
  readonly isOlder?: boolean;
}

/** Context that the page shows in another place too, in its latest version. */
export function Elsewhere({ context, isOlder = false }: ElsewhereProps) {
  const title = isOlder ? 'As it was asked, before the edit' : 'Shown on this page already';
  return <FoldedContext title={title} context={context} />;
}

interface FoldedContextProps {
  readonly title: string;
  readonly context: JsonObject;
}

export function FoldedContext({ title, context }: FoldedContextProps) {
  const names = Object.keys(context);
  if (names.length === 0) return null;
  return (
    <Folded
      summary={
        <>
          {title}: <Written text={names.join(', ')} />
        </>
      }
    >
      {() => <Context context={context} />}
    </Folded>
  );
}
