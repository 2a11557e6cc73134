import ReactMarkdown from 'react-markdown';
import type { Components } from 'react-markdown';
import { visible } from '../state/visible.js';
import css from './Markdown.module.css';

/** Where a link leads, as far as it can be known before one follows it. */
function hostOf(href: string): string | undefined {
  try {
    return new URL(href).host || undefined;
  } catch {
    return undefined;
  }
}

/** A link out of the page, which says where it leads: its text is the agent's. */
export function OutsideLink({ href, text }: { readonly href: string; readonly text: string }) {
  const host = hostOf(href);
  if (host === undefined) return <>{visible(text)}</>;
  return (
    <>
      <a href={href} target="_blank" rel="noopener noreferrer nofollow">
        {visible(text)}
      </a>
      {text !== href && <span className={css.host}> ({host})</span>}
    </>
  );
}

const COMPONENTS: Components = {
  a({ href, children }) {
    const host = href === undefined ? undefined : hostOf(href);
    if (href === undefined || host === undefined) return <>{children}</>;
    return (
      <>
        <a href={href} target="_blank" rel="noopener noreferrer nofollow">
          {children}
        </a>
        {children !== href && <span className={css.host}> ({host})</span>}
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

const PLUGINS = [() => showAll];

/** A text of an agent, which nobody trusts: Markdown without HTML and without pictures. */
export function Markdown({ text }: { readonly text: string }) {
  return (
    <div className={css.text}>
      <ReactMarkdown skipHtml rehypePlugins={PLUGINS} components={COMPONENTS}>
        {text}
      </ReactMarkdown>
    </div>
  );
}
