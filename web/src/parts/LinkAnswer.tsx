import { Suspense, lazy, useRef, useState } from 'react';
import { RefusedError } from '../api/http.js';
import type { LinkView } from '../../../contracts/links.js';
import type { JsonObject, JsonValue } from '../../../contracts/primitives.js';
import { atTime } from '../state/clock.js';
import { faultIn } from '../state/field-fault.js';
import { formSchemaOf } from '../state/form-schema.js';
import { useKeys } from '../state/keys.js';
import { useLinkAnswering } from '../state/link-answering.js';
import type { LinkPhase } from '../state/link-answering.js';
import { linkedChoice, questionToken } from '../state/one-time-link.js';
import { visible } from '../state/visible.js';
import { Choices, choiceKeys, choicesOf } from './Choices.js';
import { Dialog, DialogButtons } from './Dialog.js';
import { Problem } from './Problem.js';
import { Button, Notice, Section } from './ui.js';
import css from './LinkAnswer.module.css';

const FormAnswer = lazy(async () => ({ default: (await import('./FormAnswer.js')).FormAnswer }));

const STALE: Readonly<Record<string, string>> = {
  link_used: 'This link was used already',
  link_stale: 'This link is out of date',
  link_expired: 'This link has expired',
  link_invalid: 'This is no link of ours',
};

/** A link that leads nowhere any more, with what happened instead. */
export function LinkProblem({
  error,
  retry,
}: {
  readonly error: unknown;
  readonly retry: () => void;
}) {
  const code = error instanceof RefusedError ? error.problem.code : '';
  const title = STALE[code];
  return (
    <Problem
      error={error}
      {...(title !== undefined && { title })}
      {...(code === '' && { retry })}
      {...(title !== undefined && { actions: <a href="/inbox/">Open the inbox</a> })}
    />
  );
}

/** The answer by a link, which works once. */
export function LinkAnswer({ view }: { readonly view: LinkView }) {
  const { question } = view;
  const choices = choicesOf(question);
  const [value, setValue] = useState<JsonValue>(
    () => choices.find((choice) => choice.value === linkedChoice)?.value ?? '',
  );
  const [data, setData] = useState<JsonValue>({});
  const validate = useRef<() => boolean>(undefined);
  const { phase, send, confirm, cancel } = useLinkAnswering(questionToken, view);
  const chosen = choices.find((choice) => choice.value === value);
  const isForm = question.response_type === 'form';
  const needsData = !isForm && question.response_schema !== undefined;
  const isOpen = phase.at === 'writing' || phase.at === 'asking' || phase.at === 'sending';
  const submit = () => {
    if (phase.at !== 'writing' || value === '' || validate.current?.() === false) return;
    send({ value, ...(needsData && { data }) });
  };
  useKeys({ 'Mod+Enter': submit, ...(isOpen && choiceKeys(choices, setValue)) });
  if (!isOpen) return <Sent phase={phase} />;
  const error = phase.at === 'writing' ? phase.error : undefined;
  const form = {
    fault: faultIn(error),
    onReady(check: (() => boolean) | undefined) {
      validate.current = check;
    },
  };
  return (
    <Section title="Your answer">
      <div className={css.fields}>
        {choices.length > 0 && (
          <Choices choices={choices} value={chosen?.value} onChange={setValue} />
        )}
        {choices.length === 0 && !isForm && <TextField value={value} onChange={setValue} />}
        {isForm && (
          <LazyForm schema={schemaOf(question)} value={value} onChange={setValue} {...form} />
        )}
        {needsData && (
          <LazyForm
            schema={question.response_schema ?? {}}
            value={data}
            onChange={setData}
            {...form}
          />
        )}
        {error !== undefined && <LinkProblem error={error} retry={submit} />}
        <Button
          kind={chosen?.style === 'danger' ? 'danger' : 'primary'}
          isDisabled={value === ''}
          isPending={phase.at === 'sending'}
          onPress={submit}
        >
          {phase.at === 'sending' ? 'Sending…' : chosen ? `Send: ${chosen.label}` : 'Send answer'}
        </Button>
      </div>
      <AskOnceMore phase={phase} label={chosen?.label} back={cancel} send={confirm} />
    </Section>
  );
}

function schemaOf({ response_schema, fields = null }: LinkView['question']): JsonObject {
  return formSchemaOf({ ...(response_schema && { response_schema }), context: { fields } });
}

function LazyForm({ value, ...props }: Parameters<typeof FormAnswer>[0]) {
  return (
    <Suspense fallback={<p role="status">Loading the form…</p>}>
      <FormAnswer {...props} value={value === '' ? {} : value} />
    </Suspense>
  );
}

function TextField({
  value,
  onChange,
}: {
  readonly value: JsonValue;
  readonly onChange: (value: string) => void;
}) {
  return (
    <textarea
      rows={4}
      aria-label="Your answer"
      value={typeof value === 'string' ? value : ''}
      onChange={(event) => {
        onChange(event.target.value);
      }}
    />
  );
}

/** Asks once more before an answer that cannot be taken back, or to a question that somebody else has. */
function AskOnceMore({
  phase,
  label = 'Send answer',
  back,
  send,
}: {
  readonly phase: LinkPhase;
  readonly label: string | undefined;
  readonly back: () => void;
  readonly send: () => void;
}) {
  if (phase.at !== 'asking') return null;
  const { held } = phase;
  const holder = held && visible(held.holder);
  return (
    <Dialog
      title={holder ? `${holder} has this question` : `${label}?`}
      mustAnswer
      onClose={back}
      onSend={send}
    >
      {held && (
        <p>
          {holder} has claimed it until {atTime(held.expires_at)}. You can answer all the same.
        </p>
      )}
      <p>This cannot be taken back.</p>
      <DialogButtons>
        <Button autoFocus onPress={back}>
          Back
        </Button>
        <Button kind={held ? 'primary' : 'danger'} onPress={send}>
          {held ? 'Answer all the same' : label}
        </Button>
      </DialogButtons>
    </Dialog>
  );
}

/** What became of the answer. The link is used up; there is no more to do here. */
function Sent({ phase }: { readonly phase: LinkPhase }) {
  if (phase.at === 'handed_over') {
    return (
      <Notice tone="warn" title="Handed over, not confirmed yet">
        <p>
          Your answer is kept and will be judged by when you sent it. There is no need to send it
          again.
        </p>
      </Notice>
    );
  }
  const isLast = phase.at !== 'counted';
  return (
    <Notice tone="good" title="Thank you, your answer counts">
      <p>
        {isLast
          ? 'The agent goes on. You can close this page.'
          : `It is answer ${phase.approvals} of ${phase.required} that are needed. You can close this page.`}
      </p>
    </Notice>
  );
}
