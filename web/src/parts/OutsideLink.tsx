import type { ReactNode } from 'react';
import css from './Written.module.css';

/** Where a link leads, as far as it can be known before one follows it. */
function placeOf(href: string): URL | undefined {
  const url = URL.canParse(href) ? new URL(href) : undefined;
  return url?.host ? url : undefined;
}

/** Whether a text says itself where its link leads. An address can begin with a name and still lead to another host. */
function saysPlace(text: string, { origin }: URL): boolean {
  return text === origin || text.startsWith(`${origin}/`);
}

/** A link out of the page, which says where it leads: its text is the agent's. */
export function OutsideLink({
  href,
  words,
  children = words,
}: {
  readonly href: string;
  /** What it says, as it can be shown. */
  readonly words: string;
  /** The same in pieces, if it has looks of its own. */
  readonly children?: ReactNode;
}) {
  const place = placeOf(href);
  if (place === undefined) return children;
  return (
    <>
      <a href={href} target="_blank" rel="noopener noreferrer nofollow">
        {children}
      </a>
      {!saysPlace(words, place) && <span className={css.host} data-host={place.host} />}
    </>
  );
}
