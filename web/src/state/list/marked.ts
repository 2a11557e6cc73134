import { fromMarkdown } from 'mdast-util-from-markdown';
import { defined } from '../../../../contracts/constants/defined.js';

type Root = ReturnType<typeof fromMarkdown>;
type WithChildren<Node> = Node extends { readonly children: readonly (infer Child)[] }
  ? Child
  : never;
type Blocks = WithChildren<Root>;
type Nodes = Root | Blocks | WithChildren<Blocks>;

/** A piece of a text. The texts of all pieces together are the text as it was written. */
export type Piece =
  | { readonly kind: 'text' | 'mark' | 'code'; readonly text: string }
  | {
      readonly kind: 'strong' | 'emphasis' | 'heading' | 'link';
      readonly pieces: readonly Piece[];
      readonly href?: string;
    };

/** A longer text, which only the OpenIntent API accepts, is shown as plain text. */
const MOST_CHARACTERS = 10_000;
/** Deeper nodes are shown as plain text. */
const DEEPEST = 20;
const STYLED = ['strong', 'emphasis', 'heading', 'link'] as const;
type Styled = (typeof STYLED)[number];

/**
 * Splits a text declared as Markdown into pieces. Markdown only determines looks and targets of links: every
 * character stays, because people decide by the whole text. HTML and pictures are plain text.
 *
 * @param text - made visible
 */
export function marked(text: string): readonly Piece[] {
  if (text.length > MOST_CHARACTERS) return [{ kind: 'text', text }];
  try {
    return within(fromMarkdown(text), text, 0, text.length, 'text', 0);
  } catch {
    return [{ kind: 'text', text }];
  }
}

/** Splits the text of a node between two offsets. */
function within(
  node: Nodes,
  text: string,
  from: number,
  to: number,
  between: 'text' | 'mark',
  depth: number,
): readonly Piece[] {
  const pieces: Piece[] = [];
  let at = from;
  const upTo = (end: number): void => {
    if (end > at) pieces.push({ kind: between, text: text.slice(at, end) });
    at = Math.max(at, end);
  };
  for (const child of 'children' in node ? node.children : []) {
    const start = child.position?.start.offset ?? at;
    const end = Math.min(to, child.position?.end.offset ?? at);
    if (start < at || end <= start) continue;
    upTo(start);
    pieces.push(...piecesOf(child, text, start, end, depth));
    at = end;
  }
  upTo(to);
  return pieces;
}

function piecesOf(
  node: Nodes,
  text: string,
  from: number,
  to: number,
  depth: number,
): readonly Piece[] {
  const { type } = node;
  if (type === 'code' || type === 'inlineCode')
    return [{ kind: 'code', text: text.slice(from, to) }];
  if (depth >= DEEPEST || !('children' in node)) {
    return [{ kind: 'text', text: text.slice(from, to) }];
  }
  const href = type === 'link' ? addressIn(node.url) : undefined;
  if (!isStyled(type) || (type === 'link' && href === undefined)) {
    return within(node, text, from, to, 'text', depth + 1);
  }
  const pieces = within(node, text, from, to, 'mark', depth + 1);
  return [{ kind: type, pieces, ...defined({ href }) }];
}

function isStyled(type: string): type is Styled {
  return (STYLED as readonly string[]).includes(type);
}

function addressIn(url: string): string | undefined {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol) ? url : undefined;
}
