import type { Walk } from '../state/walk.js';
import { Button } from './ui.js';
import css from './NextButton.module.css';

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
