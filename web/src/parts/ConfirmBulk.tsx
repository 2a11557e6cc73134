import type { Entry } from '../api/types.js';
import { headingOf } from '../state/facts.js';
import { Dialog, DialogButtons } from './Dialog.js';
import { Button } from './ui.js';

const NAMED = 5;

/** Asks once more before one answer goes to many questions that cannot be undone. */
export function ConfirmBulk({
  entries,
  label,
  isDanger,
  confirm,
  cancel,
}: {
  readonly entries: readonly Entry[];
  readonly label: string;
  readonly isDanger: boolean;
  readonly confirm: () => void;
  readonly cancel: () => void;
}) {
  const send = `${label}, ${entries.length} times`;
  const more = entries.length - NAMED;
  return (
    <Dialog title={`${label}?`} onClose={cancel} onSend={confirm} mustAnswer>
      <p>This goes to all {entries.length} questions, and cannot be taken back.</p>
      <ul>
        {entries.slice(0, NAMED).map(({ id, record }) => (
          <li key={id}>{headingOf(record.question)}</li>
        ))}
        {more > 0 && <li>and {more} more</li>}
      </ul>
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
