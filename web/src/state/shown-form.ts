import { useRef, useState } from 'react';
import type { Asked } from './filled.js';
import { formSchemaOf } from './form-schema.js';

/** What checks the form of a question. Forms are loaded by themselves, and nothing is sent of one that nobody has seen. */
export function useShownForm(asked: Asked) {
  const check = useRef<() => boolean>(undefined);
  const [isLoaded, setIsLoaded] = useState(false);
  return {
    /** Also where the question has no form. */
    isShown: isLoaded || formSchemaOf(asked) === undefined,
    isChecked: () => isChecked(asked, check.current),
    onReady: (next: (() => boolean) | undefined) => {
      check.current = next;
      if (next !== undefined) setIsLoaded(true);
    },
  };
}

/** Whether nothing of what is asked for is left to check: a form that is not there yet has shown nobody its defaults. */
export function isChecked(asked: Asked, check: (() => boolean) | undefined): boolean {
  return formSchemaOf(asked) === undefined || check?.() === true;
}
