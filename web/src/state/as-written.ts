/** A part of a text that was read as Markdown, with where it stands in the text. */
interface Part {
  readonly type: string;
  readonly url?: string;
  readonly meta?: string | null;
  readonly lang?: string | null;
  value?: string;
  children?: readonly Part[];
  readonly position?: {
    readonly start: { readonly offset?: number | undefined };
    readonly end: { readonly offset?: number | undefined };
  };
}

const OF_BLOCKS = ['root', 'blockquote', 'listItem'];
/** How a path or an option begins: what stands between two stars is then hardly meant to be emphasized. */
const OF_COMMAND = /^[/\\.|&;~-]/;
const LETTER = /[\p{L}\p{N}_]/u;

/**
 * Brings back what Markdown would drop of a text, as it was written: HTML, where links lead that lead to no host, what links
 * are defined by, and stars of commands. Whoever decides by a text has to see all of it.
 */
export function asWritten() {
  return (tree: Part, { value }: { readonly value: unknown }): void => {
    keepAll(tree, String(value));
  };
}

function keepAll(parent: Part, source: string): void {
  if (parent.children === undefined) return;
  const isOfBlocks = OF_BLOCKS.includes(parent.type);
  parent.children = parent.children.flatMap((part) => {
    if (part.type === 'code' && part.meta) {
      return { ...part, value: `${part.lang ?? ''} ${part.meta}\n${part.value ?? ''}` };
    }
    if (!isDropped(part, source)) {
      keepAll(part, source);
      return part;
    }
    const shown = inline(source.slice(...rangeOf(part)));
    const kept = isOfBlocks ? [{ type: 'paragraph', children: shown }] : shown;
    // Links are still made by their definition.
    return part.type === 'definition' ? [part, ...kept] : kept;
  });
}

/** Whether Markdown shows less of a part than was written. */
function isDropped(part: Part, source: string): boolean {
  switch (part.type) {
    case 'html':
    case 'definition':
      return true;
    case 'link':
      return !hasHost(part.url ?? '');
    case 'emphasis':
    case 'strong':
      return isOfCommand(part, source);
    default:
      return false;
  }
}

function hasHost(url: string): boolean {
  return URL.canParse(url) && new URL(url).host !== '';
}

/** Whether stars are part of a word or a path, as in `rm *\/*.log`, rather than marks of emphasis. */
function isOfCommand(part: Part, source: string): boolean {
  const [start, end] = rangeOf(part);
  const inner = source.slice(start, end).replace(/^[*_]+/, '');
  const around = `${source[start - 1] ?? ''}${source[end] ?? ''}`;
  return OF_COMMAND.test(inner) || LETTER.test(around);
}

function rangeOf({ position }: Part): readonly [number, number] {
  return [position?.start.offset ?? 0, position?.end.offset ?? 0];
}

/** A text within a paragraph, line by line. */
function inline(text: string): Part[] {
  return text
    .split('\n')
    .flatMap((value, index) =>
      index === 0 ? [{ type: 'text', value }] : [{ type: 'break' }, { type: 'text', value }],
    );
}
