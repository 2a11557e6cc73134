import { diffLines } from 'diff';
import css from './Proposal.module.css';
import type { Ref } from 'react';
import type { ApprovalPart, ProposedCall } from '../../../../contracts/approval/approval.js';
import { argumentsIn } from '../../form/read.js';
import type { Editing } from '../../state/answering/editing.js';
import { callName } from '../../state/facts.js';
import { SENDS } from '../../state/keys.js';
import { pretty, visible } from '../../state/list/visible.js';
import { Context } from './Context.js';
import { Small } from '../answer/field-parts.js';
import { LazyForm } from '../answer/AnswerFields.js';
import { Badge, RiskBadge, Section } from '../ui.js';
import { Written } from './Written.js';
import { editedSince } from '../../../../domain/suspension/telling/proposal-edits.js';
import type { Question } from '../../api/types.js';

const SIGNS = { added: '+', removed: '−', same: ' ' } as const;

interface Line {
  readonly kind: keyof typeof SIGNS;
  readonly text: string;
}

function linesOf(before: string, after: string): readonly Line[] {
  return diffLines(`${before}\n`, `${after}\n`).flatMap(({ added, removed, value }) => {
    const kind = added ? 'added' : removed ? 'removed' : 'same';
    return value
      .replace(/\n$/, '')
      .split('\n')
      .map((text) => ({ kind, text }) as const);
  });
}

/** Shows line by line what an edit changes. The sign says the same as the colour. */
export function ArgumentsDiff({
  before,
  after,
  title = 'Your changes',
}: {
  readonly before: string;
  readonly after: string;
  readonly title?: string;
}) {
  if (before === after) return <p className={css.same}>Nothing is changed yet.</p>;
  return (
    <figure className={css.diff}>
      <figcaption className={css.caption}>{title}</figcaption>
      <pre className={css.lines}>
        {linesOf(before, after).map(({ kind, text }, index) => (
          <span key={index} className={css[kind]}>
            {`${SIGNS[kind]} ${text}\n`}
          </span>
        ))}
      </pre>
    </figure>
  );
}

interface ProposalProps {
  readonly approval: ApprovalPart;
  /** Undefined while nothing is edited. */
  readonly editing?: Editing | undefined;
  /** The field for the arguments of the first call. */
  readonly editorRef?: Ref<HTMLTextAreaElement>;
}

/** The calls that are to be approved, with their arguments and the hash that covers all of it. */
export function Proposal({ approval, editing, editorRef }: ProposalProps) {
  const { proposal, proposal_hash, reason, stage_name } = approval;
  const { calls, visible_context, risk_class, version } = proposal;
  return (
    <Section
      title="Proposal"
      aside={
        <span className={css.aside}>
          <RiskBadge risk={risk_class} />
          {version > 1 && <Badge tone="warn">edited: version {version}</Badge>}
        </span>
      }
    >
      {(reason !== undefined || stage_name !== undefined) && (
        <Written
          text={[stage_name && `Stage ${stage_name}`, reason].filter(Boolean).join(': ')}
          as="p"
          className={css.reason}
        />
      )}
      <ol className={css.calls}>
        {calls.map((call, index) => (
          <li key={call.id}>
            <h3 className={css.tool}>{callName(calls, call.id)}</h3>
            {editing ? (
              <EditedArguments
                call={call}
                name={callName(calls, call.id)}
                index={index}
                editing={editing}
                editorRef={index === 0 ? editorRef : undefined}
              />
            ) : (
              <pre className={css.arguments}>{pretty(call.arguments)}</pre>
            )}
          </li>
        ))}
      </ol>
      {Object.keys(visible_context).length > 0 && (
        <div className={css.context}>
          <Context context={visible_context} />
        </div>
      )}
      <p className={css.hash}>
        SHA-256 of version {version}: <code>{proposal_hash}</code>
      </p>
    </Section>
  );
}

interface EditedProps {
  readonly call: ProposedCall;
  readonly name: string;
  readonly index: number;
  readonly editing: Editing;
  readonly editorRef: Ref<HTMLTextAreaElement> | undefined;
}

/** The arguments of one call in a form, or as JSON if no form can show all of them, and how an edit changes them. */
function EditedArguments({ call, name, index, editing, editorRef }: EditedProps) {
  const shown = editing.formOf(call);
  const label = `Arguments of ${name}`;
  if (!shown) return <TypedArguments {...{ call, name, index, editing, editorRef, label }} />;
  return (
    <div className={css.editing} role="group" aria-label={label} {...SENDS}>
      <LazyForm
        id={`edit_${index}`}
        schema={shown.schema}
        given={shown.given}
        entered={shown.entered}
        onChange={(entered) => {
          editing.fill(call, entered);
        }}
        onReady={(check) => {
          editing.onReady(call, check);
        }}
        fault={editing.faultOf(call)}
        takesFocus={editing.isNew && index === 0}
      />
      <Small
        label={`Edit as JSON: ${name}`}
        onPress={() => {
          editing.toJson(call);
        }}
      >
        Edit as JSON
      </Small>
      <ArgumentsDiff before={pretty(call.arguments)} after={editing.textOf(call)} />
    </div>
  );
}

function TypedArguments({
  call,
  name,
  editing,
  editorRef,
  label,
}: EditedProps & { readonly label: string }) {
  const edited = editing.textOf(call);
  const { value, fault = editing.faultOf(call)?.detail } = argumentsIn(edited);
  const toForm = editing.toForm(call);
  return (
    <div className={css.editing} {...SENDS}>
      <textarea
        ref={editorRef}
        className={css.editor}
        dir="auto"
        aria-label={label}
        aria-invalid={fault !== undefined}
        rows={Math.min(16, edited.split('\n').length + 1)}
        spellCheck={false}
        value={edited}
        onChange={(event) => {
          editing.type(call, event.target.value);
        }}
      />
      {fault !== undefined && (
        <p className={css.fault} role="alert">
          {visible(fault)}
        </p>
      )}
      {toForm && (
        <Small label={`Edit in a form: ${name}`} onPress={toForm}>
          Edit in a form
        </Small>
      )}
      {value && <ArgumentsDiff before={pretty(call.arguments)} after={pretty(value)} />}
    </div>
  );
}

/** Shows the changes of a proposal since it was asked about. The question's text is about the first version. */
export function EditedSince({
  question: { record, timeline },
}: {
  readonly question: Pick<Question, 'record' | 'timeline'>;
}) {
  const { version = 1, calls = [] } = record.approval?.proposal ?? {};
  if (version === 1) return null;
  const edited = editedSince(record, timeline);
  if (edited.length === 0) {
    return (
      <p>The arguments were edited since it was asked: version {version}, below, is what counts.</p>
    );
  }
  return edited.map(({ call, before }) => {
    const name = callName(calls, call.id);
    if (before === undefined) {
      return (
        <p key={call.id}>
          {name} was edited since it was asked. Its arguments of before were too large to be kept.
        </p>
      );
    }
    return (
      <ArgumentsDiff
        key={call.id}
        before={pretty(before)}
        after={pretty(call.arguments)}
        title={`Changes to ${name} since it was asked`}
      />
    );
  });
}
