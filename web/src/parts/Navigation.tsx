import { Link, useLocation } from 'wouter';
import { leaveField, useKeys } from '../state/keys.js';
import { lastList } from '../state/list/views.js';
import css from './Navigation.module.css';
import type { Walk } from '../state/list/walk.js';
import { Button } from './ui.js';

export function BackLink() {
  return (
    <Link href={lastList()} className={css.back}>
      ← Inbox
    </Link>
  );
}

/** Returns a function that goes back to the list, and binds it to Esc outside of fields. */
export function useLeaving(): () => void {
  const [, navigate] = useLocation();
  const leave = () => {
    navigate(lastList());
  };
  useKeys({
    Escape: () => {
      if (!leaveField()) leave();
    },
  });
  return leave;
}

/** Goes to the next question of the list, or back to the list after the last one. Enter does the same. */
export function NextButton({
  walk,
  isMain = true,
}: {
  readonly walk: Walk;
  readonly isMain?: boolean;
}) {
  return (
    <Button kind={isMain ? 'primary' : 'plain'} shortcut="Enter j" onPress={walk.goOn}>
      {walk.next ? 'Next' : 'Back to the list'}
      <KeyHint>Enter</KeyHint>
    </Button>
  );
}

/** The key of a button, on it. Screen readers read the one of the button itself. */
export function KeyHint({ children }: { readonly children: string }) {
  return (
    <kbd className={css.key} aria-hidden="true">
      {children}
    </kbd>
  );
}
