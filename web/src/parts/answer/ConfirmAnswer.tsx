import { isDangerous } from '../../../../domain/suspension/form/once-more.js';
import type { Answer, Question } from '../../api/types.js';
import type { Answering } from '../../state/answering/answering.js';
import { callName, headingOf, valueText } from '../../state/facts.js';
import { pretty } from '../../state/list/visible.js';
import { ArgumentsDiff, EditedSince } from '../question/Proposal.js';
import { Confirm } from '../Dialog.js';
import { SentFacts } from './Sends.js';
import { Written } from '../question/Written.js';
import css from './ConfirmAnswer.module.css';
import facts from './Sends.module.css';

interface ConfirmAnswerProps {
  readonly question: Question;
  readonly answering: Answering;
}

export function ConfirmAnswer({ question, answering }: ConfirmAnswerProps) {
  const { phase, confirm, cancel } = answering;
  if (phase.at !== 'asking') return null;
  const { answer, held } = phase;
  const { record } = question;
  const chosen = record.choices?.find(({ value }) => value === answer.value);
  return (
    <Confirm
      label={valueText(answer.value, question)}
      held={held}
      isDanger={isDangerous(chosen)}
      confirm={confirm}
      cancel={cancel}
    >
      <Edits answer={answer} record={record} />
      {!answer.edits?.length && <EditedSince question={question} />}
      <Facts answer={answer} record={record} />
    </Confirm>
  );
}

interface Props {
  readonly answer: Answer;
  readonly record: Question['record'];
}

function Facts({ answer, record }: Props) {
  const { question, approval } = record;
  const edited = answer.edits?.length ?? 0;
  const hash = approval?.proposal_hash;
  // The text of the question is about the first version.
  const isOther = edited > 0 || (approval?.proposal.version ?? 1) > 1;
  return (
    <dl className={facts.facts}>
      <dt>{isOther ? 'First asked' : 'Question'}</dt>
      <dd>
        <Written text={headingOf(question)} />
      </dd>
      <SentFacts asked={record} answer={answer} />
      {edited > 0 && (
        <>
          <dt>Edited</dt>
          <dd>{edited === 1 ? 'the arguments of one call' : `the arguments of ${edited} calls`}</dd>
        </>
      )}
      {hash !== undefined && (
        <>
          <dt>{edited > 0 ? 'Edited from' : 'Proposal'}</dt>
          <dd>
            <code>{hash.slice(0, 16)}…</code>
          </dd>
        </>
      )}
    </dl>
  );
}

function Edits({ answer: { edits = [] }, record: { approval } }: Props) {
  const calls = approval?.proposal.calls ?? [];
  return edits.map(({ call_id, arguments: edited }) => {
    const call = calls.find(({ id }) => id === call_id);
    const name = callName(calls, call_id);
    return (
      call && (
        <section key={call_id} aria-label={`Your changes to ${name}`}>
          <p>{name} will run with these arguments:</p>
          <pre className={css.run}>{pretty(edited)}</pre>
          <ArgumentsDiff before={pretty(call.arguments)} after={pretty(edited)} />
        </section>
      )
    );
  });
}
