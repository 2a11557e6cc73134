import type { ReactNode } from 'react';
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { Button, cx } from './ui.js';
import css from './Dialog.module.css';
import type { Holder } from '../state/answering/acting.js';
import { atTime } from '../state/clock.js';
import { visible } from '../state/list/visible.js';

/** A dialog over the page, until it is closed. Escape closes it. */
export function Dialog({
  title,
  children,
  onClose,
  onSend,
  isWide = false,
  hasText = false,
  mustAnswer = false,
}: {
  readonly title: string;
  readonly children: ReactNode;
  readonly onClose?: () => void;
  /** Runs on Ctrl Enter. */
  readonly onSend?: () => void;
  readonly isWide?: boolean;
  /** Whether somebody has typed into it, so that a press beside it does not close it. */
  readonly hasText?: boolean;
  /** Whether it asks something, so that a press beside it does not close it. */
  readonly mustAnswer?: boolean;
}) {
  return (
    <ModalOverlay
      isOpen
      isDismissable={!mustAnswer && !hasText && onClose !== undefined}
      isKeyboardDismissDisabled={onClose === undefined}
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose?.();
      }}
      className={css.overlay ?? ''}
    >
      <Modal className={cx(css.modal, isWide && css.wide)}>
        <AriaDialog role={mustAnswer ? 'alertdialog' : 'dialog'} className={css.dialog ?? ''}>
          <Heading slot="title" level={2} className={css.title ?? ''} dir="auto">
            {title}
          </Heading>
          <div
            className={css.content}
            role="presentation"
            // In the capturing phase, because the focused button would react to Enter.
            onKeyDownCapture={(event) => {
              if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
              event.preventDefault();
              event.stopPropagation();
              // The key that opened it may still be held down.
              if (!event.repeat && !event.nativeEvent.isComposing) onSend?.();
            }}
          >
            {children}
          </div>
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

export function DialogButtons({ children }: { readonly children: ReactNode }) {
  return <div className={css.buttons}>{children}</div>;
}

interface ConfirmProps {
  readonly label: string;
  /** The label of the button, if that is not the answer. */
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
