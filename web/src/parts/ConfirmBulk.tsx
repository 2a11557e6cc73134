import { isDangerous } from '../../../domain/suspension/form/once-more.js';
import type { Entry } from '../api/types.js';
import type { Compared } from '../state/bulk-differences.js';
import type { BulkDraft } from '../state/bulk-draft.js';
import { beginningOf } from '../state/facts.js';
import { Confirm } from './Confirm.js';
import { DiffersIn } from './Differs.js';
import { Sends } from './Sends.js';
import { Written } from './Written.js';
import css from './ConfirmBulk.module.css';

interface ConfirmBulkProps {
  readonly draft: BulkDraft;
  readonly entries: readonly Entry[];
  readonly compared: Compared;
}

/** Asks for a confirmation before one answer, which cannot be undone, is sent to many questions. */
export function ConfirmBulk({ draft, entries, compared }: ConfirmBulkProps) {
  const { asking, fields, chosen, confirm, cancel } = draft;
  if (!asking) return null;
  const label = chosen?.label ?? 'Send this answer';
  return (
    <Confirm
      label={label}
      action={`${label}, ${entries.length} times`}
      isDanger={isDangerous(chosen)}
      confirm={confirm}
      cancel={cancel}
    >
      <p>This goes to all {entries.length} questions, and cannot be taken back.</p>
      <Sends asked={fields.asked} answer={asking} />
      <div className={css.scroller} role="group" aria-label="The questions" tabIndex={0}>
        <ul className={css.list}>
          {entries.map(({ id, record }) => (
            <li key={id}>
              <Written text={beginningOf(record.question)} />
              <DiffersIn id={id} compared={compared} />
            </li>
          ))}
        </ul>
      </div>
    </Confirm>
  );
}
