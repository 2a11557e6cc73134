import type { ReactNode } from 'react';
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import css from './Dialog.module.css';

/** Something that lies over the page until it is closed. Escape closes it. */
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
  /** What Ctrl Enter does. */
  readonly onSend?: () => void;
  readonly isWide?: boolean;
  /** Somebody types into it, and a press beside it closes nothing. */
  readonly hasText?: boolean;
  /** It asks something, and a press beside it is no answer. */
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
      <Modal className={`${css.modal ?? ''} ${isWide ? (css.wide ?? '') : ''}`}>
        <AriaDialog role={mustAnswer ? 'alertdialog' : 'dialog'} className={css.dialog ?? ''}>
          <Heading slot="title" level={2} className={css.title ?? ''} dir="auto">
            {title}
          </Heading>
          <div
            className={css.content}
            role="presentation"
            // Before the button that has the focus takes Enter for a press.
            onKeyDownCapture={(event) => {
              if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
              event.preventDefault();
              event.stopPropagation();
              // The press that opened it may be held down still.
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
