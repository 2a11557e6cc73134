import { useEffect } from 'react';
import { useLocation } from 'wouter';
import { holdKeysBack, isOccupied } from './keys.js';
import { createStore, useStore } from './store.js';

/** A page that somebody has left with an answer, which was then refused. */
export interface LeftPage {
  readonly path: string;
  /** Its question. */
  readonly title: string;
}

const left = createStore<readonly LeftPage[]>([]);

/** Brings somebody back to a page, because the answer from there was refused. */
export function comeBack(page: LeftPage): void {
  left.set([...left.get().filter(({ path }) => path !== page.path), page]);
}

/** Forgets the pages, because another person uses them. */
export function discardLeft(): void {
  left.set([]);
}

/**
 * Returns the pages to return to. It opens the first one at once, unless somebody is typing or has a dialog open.
 * Somebody who has to sign in again finds it behind that dialog.
 *
 * @param hasEnded - whether the session has ended
 */
export function useLeftPages(hasEnded: boolean): readonly LeftPage[] {
  const pages = useStore(left);
  const [path, navigate] = useLocation();
  const [first] = pages;
  useEffect(() => {
    if (!first) return;
    if (pages.some((page) => page.path === path)) {
      left.set(pages.filter((page) => page.path !== path));
    } else if (pages.length === 1 && (hasEnded || !isOccupied())) {
      holdKeysBack();
      navigate(first.path);
    }
  }, [pages, first, path, navigate, hasEnded]);
  return pages;
}
