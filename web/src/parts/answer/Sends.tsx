import type { Answer, Asked } from '../../api/types.js';
import { valueText } from '../../state/facts.js';
import { Value } from '../question/Context.js';
import { Notes } from '../question/Notes.js';
import { Written } from '../question/Written.js';
import css from './Sends.module.css';

interface Props {
  readonly asked: Pick<Asked, 'response_type' | 'choices'>;
  readonly answer: Pick<Answer, 'value' | 'comment' | 'data'>;
}

/** An answer and everything that is sent with it, as it was written. It belongs into a list of facts. */
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

/** Shows the same in a list of its own. */
export function Sends(props: Props) {
  return (
    <dl className={css.facts}>
      <SentFacts {...props} />
    </dl>
  );
}
