import { useRef, useState } from 'react';
import type { Asked } from '../api/types.js';
import { formSchemaOf } from './form-schema.js';

/** Knows whether the form of a question is shown and complete. Forms are loaded late, and none is sent before it was seen. */
export function useShownForm(asked: Asked) {
  const check = useRef<() => boolean>(undefined);
  const [isLoaded, setIsLoaded] = useState(false);
  return {
    /** True if the question has no form. */
    isShown: isLoaded || formSchemaOf(asked) === undefined,
    isChecked: () => isChecked(asked, check.current),
    onReady: (next: (() => boolean) | undefined) => {
      check.current = next;
      if (next !== undefined) setIsLoaded(true);
    },
  };
}

/** Whether there is no form, or it is shown and complete. A form that is not loaded yet has shown nobody its defaults. */
export function isChecked(asked: Asked, check: (() => boolean) | undefined): boolean {
  return formSchemaOf(asked) === undefined || check?.() === true;
}
