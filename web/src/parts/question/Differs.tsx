import type { ReactNode } from 'react';
import { partsOf, sharedBy, type Difference } from '../../state/answering/differences.js';
import { differingOf, type Compared } from '../../state/answering/bulk-differences.js';
import type { JsonValue } from '../../../../contracts/kernel/primitives.js';
import { isBlank, visible } from '../../state/list/visible.js';
import { Badge } from '../ui.js';
import { Written, WrittenIn } from './Written.js';
import css from './Differs.module.css';

interface DiffersProps {
  readonly difference: Difference;
  readonly value: JsonValue | undefined;
}

/** Says in words that other questions have another value, and how many have the same. */
export function Differs({ difference, value }: DiffersProps) {
  const shared = value === undefined ? 0 : sharedBy(difference, value);
  return (
    <Badge tone="warn">differs{shared > 1 && `: ${shared} of ${difference.of} have this`}</Badge>
  );
}

/** Marks what other questions do not have. */
export function Other({ children }: { readonly children: ReactNode }) {
  return <mark className={css.mark}>{children}</mark>;
}

interface MarkedTextProps {
  readonly text: string;
  readonly difference: Difference;
}

/** A text exactly as it was written, with marks on what other questions do not have. */
export function MarkedText({ text, difference }: MarkedTextProps) {
  if (isBlank(visible(text))) return <Written text={text} as="div" />;
  return (
    <WrittenIn>
      {partsOf(text, difference).map((part, index) =>
        part.differs ? <Other key={index}>{part.text}</Other> : part.text,
      )}
    </WrittenIn>
  );
}

/** Names the first parts in which a question differs from the others, with their values. */
export function DiffersIn({ id, compared }: { readonly id: string; readonly compared: Compared }) {
  const { named, more } = differingOf(id, compared);
  if (named.length === 0) return null;
  return (
    <div className={css.differing}>
      <Badge tone="warn">differs</Badge>
      {named.map(({ name, excerpt }, index) => (
        <span key={index}>
          <Written text={name} className={css.name} />:{' '}
          {excerpt === undefined || excerpt === '' ? (
            <em>nothing</em>
          ) : (
            <Other>
              <Written text={excerpt} />
            </Other>
          )}
        </span>
      ))}
      {more > 0 && <span>and {more} more</span>}
    </div>
  );
}
