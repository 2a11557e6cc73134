import type { ApprovalPart } from '../../../contracts/approval.js';
import type { Answer, Question } from '../api/types.js';
import { atTime } from '../state/clock.js';
import { headingOf, valueText } from '../state/facts.js';
import type { Phase } from '../state/phase.js';
import { pretty, visible } from '../state/visible.js';
import { ArgumentsDiff } from './ArgumentsDiff.js';
import { Dialog, DialogButtons } from './Dialog.js';
import { EditedSince } from './EditedSince.js';
import { SentFacts } from './Sends.js';
import { Button } from './ui.js';
import { Written } from './Written.js';
import css from './ConfirmAnswer.module.css';
import facts from './Sends.module.css';

/** Asks once more before an answer goes that cannot be undone, or to a question that somebody else has. */
export function ConfirmAnswer({
  question,
  phase,
  confirm,
  cancel,
}: {
  readonly question: Question;
  readonly phase: Phase;
  readonly confirm: () => void;
  readonly cancel: () => void;
}) {
  if (phase.at !== 'asking') return null;
  const { answer, held } = phase;
  const holder = held && visible(held.holder);
  const { record } = question;
  const label = valueText(answer.value, question);
  const isDanger = record.choices?.find(({ value }) => value === answer.value)?.style === 'danger';
  return (
    <Dialog
      title={holder ? `${holder} has this question` : `${label}?`}
      onClose={cancel}
      onSend={confirm}
      mustAnswer
    >
      {held && (
        <p>
          {holder} has claimed it until {atTime(held.expires_at)}. You can answer all the same.
        </p>
      )}
      <Edits answer={answer} approval={record.approval} />
      {!answer.edits?.length && <EditedSince record={record} />}
      <Facts answer={answer} record={record} />
      <DialogButtons>
        <Button onPress={cancel} autoFocus>
          Back
        </Button>
        <Button kind={isDanger ? 'danger' : 'primary'} onPress={confirm}>
          {held ? 'Answer all the same' : label}
        </Button>
      </DialogButtons>
    </Dialog>
  );
}

function Facts({
  answer,
  record,
}: {
  readonly answer: Answer;
  readonly record: Question['record'];
}) {
  const { question, approval } = record;
  const edited = answer.edits?.length ?? 0;
  const hash = approval?.proposal_hash;
  // The words of the question are those of the first version.
  const isOther = edited > 0 || (approval?.proposal.version ?? 1) > 1;
  return (
    <dl className={facts.facts}>
      <dt>{isOther ? 'Asked at first' : 'Question'}</dt>
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

/** What an edit changes of each call: that is what will run. */
function Edits({
  answer: { edits = [] },
  approval,
}: {
  readonly answer: Answer;
  readonly approval: ApprovalPart | undefined;
}) {
  return edits.map(({ call_id, arguments: edited }) => {
    const call = approval?.proposal.calls.find(({ id }) => id === call_id);
    return (
      call && (
        <section key={call_id} aria-label={`What you change of ${visible(call.tool)}`}>
          <p>{visible(call.tool)} will run with these arguments:</p>
          <pre className={css.run}>{pretty(edited)}</pre>
          <ArgumentsDiff before={pretty(call.arguments)} after={pretty(edited)} />
        </section>
      )
    );
  });
}
