import type { ReactNode } from 'react';
import css from './Written.module.css';

/** Whether a text says where its link leads. An address can begin with a host name and still lead to another host. */
function saysPlace(text: string, { origin }: URL): boolean {
  return text === origin || text.startsWith(`${origin}/`);
}

interface OutsideLinkProps {
  readonly href: string;
  /** The text of the link, made visible. */
  readonly words: string;
  /** The same text, if it has a style. */
  readonly children?: ReactNode;
}

/** A link out of the page, with the host to which it leads, because its text is the agent's. */
export function OutsideLink({ href, words, children = words }: OutsideLinkProps) {
  const place = URL.canParse(href) ? new URL(href) : undefined;
  if (!place?.host) return children;
  return (
    <>
      <a href={href} target="_blank" rel="noopener noreferrer nofollow">
        {children}
      </a>
      {!saysPlace(words, place) && <span className={css.host} data-host={place.host} />}
    </>
  );
}
