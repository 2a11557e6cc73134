import type { Entry } from '../api/types.js';
import type { ForAll } from '../state/bulk-answering.js';
import type { Compared } from '../state/bulk-differences.js';
import { headingOf } from '../state/facts.js';
import { Dialog, DialogButtons } from './Dialog.js';
import { DiffersIn } from './Differs.js';
import { Sends } from './Sends.js';
import { Button } from './ui.js';
import { Written } from './Written.js';
import css from './ConfirmBulk.module.css';

/** Asks once more before one answer goes to many questions that cannot be undone. */
export function ConfirmBulk({
  entries,
  compared,
  label,
  isDanger,
  said,
  asked,
  confirm,
  cancel,
}: {
  readonly entries: readonly Entry[];
  readonly compared: Compared;
  readonly label: string;
  readonly isDanger: boolean;
  /** What goes to all of them. */
  readonly said: ForAll;
  readonly asked: Entry['record'];
  readonly confirm: () => void;
  readonly cancel: () => void;
}) {
  const send = `${label}, ${entries.length} times`;
  return (
    <Dialog title={`${label}?`} onClose={cancel} onSend={confirm} mustAnswer>
      <p>This goes to all {entries.length} questions, and cannot be taken back.</p>
      <Sends asked={asked} answer={said} />
      <div className={css.scroller} role="group" aria-label="The questions" tabIndex={0}>
        <ul className={css.list}>
          {entries.map(({ id, record }) => (
            <li key={id}>
              <Written text={headingOf(record.question)} />
              <DiffersIn id={id} compared={compared} />
            </li>
          ))}
        </ul>
      </div>
      <DialogButtons>
        <Button onPress={cancel} autoFocus>
          Back
        </Button>
        <Button kind={isDanger ? 'danger' : 'primary'} onPress={confirm}>
          {send}
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
