/** A part of a text that was read as Markdown, with where it stands in the text. */
interface Part {
  readonly type: string;
  readonly url?: string;
  readonly title?: string | null;
  readonly meta?: string | null;
  readonly lang?: string | null;
  value?: string;
  children?: readonly Part[];
  /** As which element it is shown. */
  readonly data?: { readonly hName: string; readonly hProperties: { readonly dataMark: string } };
  readonly position?: {
    readonly start: { readonly offset?: number | undefined };
    readonly end: { readonly offset?: number | undefined };
  };
}

const OF_BLOCKS = ['root', 'blockquote', 'listItem'];
/** What says which language a block is in, and is no word of it. */
const LANGUAGES = new Set(
  `bash console css csv diff dockerfile go graphql html ini java javascript js json jsonc jsx kotlin log lua markdown md
  php plaintext powershell py python rb ruby rust scala sh shell sql swift text toml ts tsx txt typescript xml yaml yml zsh`.split(
    /\s+/,
  ),
);
const MARKS = /^[*_]+/;
/** A backslash with the character that it escapes. */
const ESCAPED = /(\\[!-/:-@[-`{-~])/;
/** What begins a line of a paragraph in a quotation or an item of a list. */
const INDENT = /^[\s>]*/;

/**
 * Brings back what Markdown would drop of a text, as it was written: HTML, where links lead that lead to no host, what links
 * are defined by, marks of emphasis, which are stars of commands too, and backslashes. Whoever decides by a text has to see all
 * of it. Marks and backslashes are elements of their own (`data-mark`), which the page shows paler than words.
 */
export function asWritten() {
  return (tree: Part, { value }: { readonly value: unknown }): void => {
    keepAll(tree, String(value));
  };
}

function keepAll(parent: Part, source: string): void {
  const isOfBlocks = OF_BLOCKS.includes(parent.type);
  if (parent.children === undefined) return;
  parent.children = parent.children.flatMap((part) => {
    keepAll(part, source);
    return isDropped(part) ? rawOf(part, source, isOfBlocks) : kept(part, source);
  });
}

/** Whether Markdown shows nothing of a part, or hides where it leads. */
function isDropped({ type, url = '', title }: Part): boolean {
  if (type === 'html' || type === 'definition') return true;
  return (type === 'link' && !isShown(url)) || ((type === 'link' || type === 'image') && !!title);
}

/** Whether the page makes a link of it, which says its host. */
function isShown(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}

function rawOf(part: Part, source: string, isOfBlocks: boolean): Part[] {
  const shown = inline(written(part, source));
  const raw = isOfBlocks ? [{ type: 'paragraph', children: shown }] : shown;
  // Links are still made by their definition.
  return part.type === 'definition' ? [part, ...raw] : raw;
}

/** A part with all that was written of it. */
function kept(part: Part, source: string): Part | Part[] {
  const { type, lang, meta, value = '', children = [] } = part;
  const raw = written(part, source);
  switch (type) {
    case 'code': {
      const said = meta || (lang && !LANGUAGES.has(lang.toLowerCase()));
      return said ? { ...part, value: `${[lang, meta].join(' ').trim()}\n${value}` } : part;
    }
    case 'emphasis':
    case 'strong': {
      const [marks = ''] = MARKS.exec(raw) ?? [];
      const mark = markOf(marks.slice(0, type === 'strong' ? 2 : 1));
      return { ...part, children: [mark, ...children, mark] };
    }
    case 'text':
      return withMarks(withBackslashes(value, raw));
    case 'break':
      return raw.startsWith('\\') ? [markOf('\\'), part] : part;
    default:
      return part;
  }
}

function markOf(value: string): Part {
  const data = { hName: 'span', hProperties: { dataMark: '' } };
  return { type: 'mark', data, children: [{ type: 'text', value }] };
}

/** A text with its backslashes as marks, as far as they escape something. */
function withMarks(text: string): Part[] {
  return text
    .split(ESCAPED)
    .flatMap((value, index) =>
      index % 2 === 0
        ? { type: 'text', value }
        : [markOf('\\'), { type: 'text', value: value.slice(1) }],
    );
}

/** A text as it was written, where a character in it was escaped. */
function withBackslashes(value: string, raw: string): string {
  const lines = value.split('\n');
  const before = raw.split('\n');
  if (lines.length !== before.length) return value;
  return lines
    .map((line, index) => {
      const one = before[index] ?? '';
      return one.includes('\\') ? one.replace(index === 0 ? '' : INDENT, '') : line;
    })
    .join('\n');
}

function written({ position }: Part, source: string): string {
  return source.slice(position?.start.offset ?? 0, position?.end.offset ?? 0);
}

/** A text within a paragraph, line by line. */
function inline(text: string): Part[] {
  return text
    .split('\n')
    .flatMap((value, index) =>
      index === 0 ? [{ type: 'text', value }] : [{ type: 'break' }, { type: 'text', value }],
    );
}
