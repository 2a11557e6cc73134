import { useState } from 'react';
import { Button } from './ui.js';

interface CopyButtonProps {
  readonly text: string;
  readonly label?: string;
  /** What is copied, for screen readers. */
  readonly of?: string;
}

/** Copies a text. If the browser refuses, it shows the text to be copied by hand. */
export function CopyButton({ text, label = 'Copy my draft', of }: CopyButtonProps) {
  const [state, setState] = useState<'new' | 'copied' | 'refused'>('new');
  if (state === 'refused') {
    return <textarea dir="auto" aria-label={label} rows={4} readOnly value={text} />;
  }
  return (
    <Button
      kind={of === undefined ? 'plain' : 'quiet'}
      onPress={() => {
        void copied(text).then((isDone) => {
          setState(isDone ? 'copied' : 'refused');
        });
      }}
    >
      {state === 'copied' ? 'Copied' : label}
      {of !== undefined && <span className="only-heard"> {of}</span>}
    </Button>
  );
}

/**
 * Puts a text into the clipboard. Returns whether it worked. Over plain HTTP there is no `navigator.clipboard`, and some browsers
 * refuse it, but a selected text can still be copied.
 */
async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelected(text);
  }
}

function copySelected(text: string): boolean {
  const before = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'only-heard';
  document.body.append(field);
  field.select();
  try {
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- the only way without a secure context
    return document.execCommand('copy');
  } finally {
    field.remove();
    if (before instanceof HTMLElement) before.focus();
  }
}
