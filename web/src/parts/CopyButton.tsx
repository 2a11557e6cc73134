import { useState } from 'react';
import { copied } from '../state/copying.js';
import { Button } from './ui.js';

/** Copies what somebody has typed; where the browser does not let it, the text is there to be copied by hand. */
export function CopyButton({
  text,
  label = 'Copy my draft',
}: {
  readonly text: string;
  readonly label?: string;
}) {
  const [state, setState] = useState<'new' | 'copied' | 'refused'>('new');
  if (state === 'refused') {
    return <textarea dir="auto" aria-label={label} rows={4} readOnly value={text} />;
  }
  return (
    <Button
      onPress={() => {
        void copied(text).then((isDone) => {
          setState(isDone ? 'copied' : 'refused');
        });
      }}
    >
      {state === 'copied' ? 'Copied' : label}
    </Button>
  );
}
