import type { ReactNode } from 'react';
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { cx } from './ui.js';
import css from './Dialog.module.css';

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
            // In the capturing phase, because the button with the focus would take Enter for a press.
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

/** The buttons at the end of a dialog. */
export function DialogButtons({ children }: { readonly children: ReactNode }) {
  return <div className={css.buttons}>{children}</div>;
}
