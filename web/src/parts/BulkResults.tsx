import type { BulkResult, Entry } from '../api/types.js';
import { holderOf } from '../state/answering.js';
import type { ForAll } from '../state/bulk-answering.js';
import { visible } from '../state/visible.js';
import { Sends } from './Sends.js';
import { Button, Notice } from './ui.js';

/** Offers to answer those all the same that others have claimed, and says who they are. */
export function HeldByOthers({
  held,
  answer,
  results,
  isBusy,
  send,
}: {
  readonly held: readonly Entry[];
  readonly answer: ForAll | undefined;
  readonly results: ReadonlyMap<string, BulkResult>;
  readonly isBusy: boolean;
  readonly send: () => void;
}) {
  const [first] = held;
  if (!first || !answer) return null;
  const holders = held.flatMap(({ id }) => {
    const problem = results.get(id)?.problem;
    return problem ? (holderOf(problem)?.holder ?? []) : [];
  });
  const names = visible([...new Set(holders)].join(', '));
  const count = held.length === 1 ? 'One of them is' : `${held.length} of them are`;
  return (
    <Notice
      tone="warn"
      title={`${count} claimed by ${names}`}
      actions={
        <Button kind="primary" isPending={isBusy} onPress={send}>
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

/** How many were taken, are not confirmed yet, and were refused. */
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
          What is not confirmed is kept, and judged by when you sent it. There is no need to send it
          again.
        </p>
      )}
    </Notice>
  );
}
