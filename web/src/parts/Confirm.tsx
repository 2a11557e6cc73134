import type { ReactNode } from 'react';
import type { Holder } from '../state/claims.js';
import { atTime } from '../state/clock.js';
import { visible } from '../state/visible.js';
import { Dialog, DialogButtons } from './Dialog.js';
import { Button } from './ui.js';

interface ConfirmProps {
  /** The answer, in words. */
  readonly label: string;
  /** What the button says, if that is not the answer. */
  readonly action?: string;
  /** Who has claimed the question, if that is not the person who answers. */
  readonly held?: Holder | undefined;
  readonly isDanger: boolean;
  readonly confirm: () => void;
  readonly cancel: () => void;
  readonly children: ReactNode;
}

/** Asks for a confirmation before an answer is sent that cannot be undone, or to a question that somebody else has claimed. */
export function Confirm({
  label,
  action = label,
  held,
  isDanger,
  confirm,
  cancel,
  children,
}: ConfirmProps) {
  const holder = held && visible(held.holder);
  return (
    <Dialog
      title={holder ? `${holder} has this question` : `${label}?`}
      onClose={cancel}
      onSend={confirm}
      mustAnswer
    >
      {held && (
        <p>
          {holder} has claimed it until {atTime(held.expires_at)}. You can answer all the same.
        </p>
      )}
      {children}
      <DialogButtons>
        <Button onPress={cancel} autoFocus>
          Back
        </Button>
        <Button kind={isDanger ? 'danger' : 'primary'} onPress={confirm}>
          {held ? 'Answer all the same' : action}
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
