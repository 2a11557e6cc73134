import type { JsonValue } from '../../../contracts/primitives.js';
import { valueText } from '../state/facts.js';
import type { WithChoices } from '../state/facts.js';
import { Value } from './Context.js';
import { Notes } from './Notes.js';
import { Written } from './Written.js';
import css from './Sends.module.css';

interface Sent {
  readonly value: JsonValue;
  readonly comment?: string | undefined;
  readonly data?: JsonValue | undefined;
}

interface Props {
  readonly asked: WithChoices;
  readonly answer: Sent;
}

/** What goes out, before it does: the answer and all that comes with it, as it was written. For a list of facts. */
export function SentFacts({ asked, answer: { value, comment, data } }: Props) {
  return (
    <>
      <dt>Your answer</dt>
      <dd>
        {typeof value === 'object' ? (
          <Value value={value} />
        ) : (
          <Written text={valueText(value, { record: asked })} />
        )}
      </dd>
      {(comment !== undefined || data !== undefined) && (
        <>
          <dt>With it</dt>
          <dd>
            <Notes comment={comment} data={data} />
          </dd>
        </>
      )}
    </>
  );
}

/** The same by itself. */
export function Sends(props: Props) {
  return (
    <dl className={css.facts}>
      <SentFacts {...props} />
    </dl>
  );
}
