import ReactMarkdown from 'react-markdown';
import type { Components } from 'react-markdown';
import { asWritten } from '../state/as-written.js';
import { visible } from '../state/visible.js';
import css from './Markdown.module.css';

/** Where a link leads, as far as it can be known before one follows it. */
function placeOf(href: string): URL | undefined {
  const url = URL.canParse(href) ? new URL(href) : undefined;
  return url?.host ? url : undefined;
}

/** Whether a text says itself where its link leads. An address can begin with a name and still lead to another host. */
function saysPlace(text: unknown, { origin }: URL): boolean {
  return typeof text === 'string' && (text === origin || text.startsWith(`${origin}/`));
}

/** A link out of the page, which says where it leads: its text is the agent's. */
export function OutsideLink({ href, text }: { readonly href: string; readonly text: string }) {
  const place = placeOf(href);
  if (place === undefined) return <>{visible(text)}</>;
  return (
    <>
      <a href={href} target="_blank" rel="noopener noreferrer nofollow">
        {visible(text)}
      </a>
      {!saysPlace(text, place) && <span className={css.host}> ({place.host})</span>}
    </>
  );
}

const COMPONENTS: Components = {
  a({ href, children }) {
    const place = placeOf(href ?? '');
    if (place === undefined) return <>{children}</>;
    return (
      <>
        <a href={href} target="_blank" rel="noopener noreferrer nofollow">
          {children}
        </a>
        {!saysPlace(children, place) && <span className={css.host}> ({place.host})</span>}
      </>
    );
  },
  // A picture would tell its host who looks when.
  img: ({ alt }) => <span className={css.host}>[picture{alt ? `: ${visible(alt)}` : ''}]</span>,
};

/** A part of a text that was read as Markdown. */
interface Node {
  readonly type: string;
  value?: string;
  readonly children?: readonly Node[];
}

/** Makes the texts within visible once they are read, for Markdown can name any character by its number. */
function showAll(node: Node): void {
  if (node.type === 'text' && node.value !== undefined) node.value = visible(node.value);
  node.children?.forEach(showAll);
}

const ON_READING = [asWritten];
const ON_SHOWING = [() => showAll];

/** A text of an agent, which nobody trusts: Markdown without pictures, in which HTML is text like any other. */
export function Markdown({ text }: { readonly text: string }) {
  return (
    <div className={css.text}>
      <ReactMarkdown
        skipHtml
        remarkPlugins={ON_READING}
        rehypePlugins={ON_SHOWING}
        components={COMPONENTS}
      >
        {text}
      </ReactMarkdown>
    </div>
  );
}
