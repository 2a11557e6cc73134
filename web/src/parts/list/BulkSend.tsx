import { isDangerous } from '../../../../domain/suspension/form/once-more.js';
import type { BulkResult, Entry } from '../../api/types.js';
import type { Compared } from '../../state/answering/bulk-differences.js';
import type { BulkAnswering, BulkDraft } from '../../state/answering/bulk-answering.js';
import { beginningOf } from '../../state/facts.js';
import { Confirm } from '../Dialog.js';
import { DiffersIn } from '../question/Differs.js';
import { Sends } from '../answer/Sends.js';
import { Written } from '../question/Written.js';
import css from './ConfirmBulk.module.css';
import { holderIn } from '../../state/answering/acting.js';
import { visible } from '../../state/list/visible.js';
import { Button, Notice } from '../ui.js';

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

/** Says who has claimed questions, and offers to answer these all the same. */
export function HeldByOthers({ bulk }: { readonly bulk: BulkAnswering }) {
  const { held, answer, results, isBusy, sendToHeld } = bulk;
  const [first] = held;
  if (!first || !answer) return null;
  const holders = held.flatMap(({ id }) => holderIn(results?.get(id)?.problem)?.holder ?? []);
  const names = visible([...new Set(holders)].join(', '));
  const count = held.length === 1 ? 'One of them is' : `${held.length} of them are`;
  return (
    <Notice
      tone="warn"
      title={`${count} claimed by ${names}`}
      actions={
        <Button kind="primary" isPending={isBusy} onPress={sendToHeld}>
          {isBusy
            ? 'Sending…'
            : held.length === 1
              ? 'Answer it all the same'
              : `Answer these ${held.length} all the same`}
        </Button>
      }
    >
      <p>The same answer goes to {held.length === 1 ? 'it' : 'these'} alone.</p>
      <Sends asked={first.record} answer={answer} />
    </Notice>
  );
}

/** Counts the answers that were accepted, are not confirmed yet, and were refused. */
export function Summary({ results }: { readonly results: readonly BulkResult[] }) {
  const count = (...outcomes: readonly BulkResult['outcome'][]) =>
    results.filter(({ outcome }) => outcomes.includes(outcome)).length;
  const taken = count('settled', 'counted');
  const waiting = count('handed_over');
  const refused = count('refused');
  const parts = [
    `${taken} taken`,
    waiting > 0 && `${waiting} not confirmed yet`,
    refused > 0 && `${refused} refused`,
  ].filter(Boolean);
  const isAll = parts.length === 1;
  return (
    <Notice
      replyTo={parts.join()}
      tone={isAll ? 'good' : 'warn'}
      title={isAll ? `All ${taken} taken` : parts.join(', ')}
    >
      {waiting > 0 && (
        <p>
          Answers that are not confirmed are kept, and the time at which you sent them counts. There
          is no need to send it again.
        </p>
      )}
    </Notice>
  );
}
