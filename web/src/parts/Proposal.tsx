import type { Ref } from 'react';
import type { ApprovalPart } from '../../../contracts/approval.js';
import { argumentsIn } from '../state/arguments.js';
import { SENDS } from '../state/keys.js';
import { pretty, visible } from '../state/visible.js';
import { ArgumentsDiff } from './ArgumentsDiff.js';
import { Context } from './Context.js';
import { Badge, Section } from './ui.js';
import { Written } from './Written.js';
import css from './Proposal.module.css';

const RISK_TONES = { low: 'plain', medium: 'info', high: 'warn', critical: 'danger' } as const;

interface ProposalProps {
  readonly approval: ApprovalPart;
  /** The edited arguments as they are typed, by the id of their call; undefined while nothing is edited. */
  readonly edits: Readonly<Record<string, string>> | undefined;
  readonly onEdit: (callId: string, text: string) => void;
  /** Where the arguments of the first call are edited. */
  readonly editorRef?: Ref<HTMLTextAreaElement>;
}

/** What is to be approved: each call with its arguments, and the hash that covers all of it. */
export function Proposal({ approval, edits, onEdit, editorRef }: ProposalProps) {
  const { proposal, proposal_hash, reason, stage_name } = approval;
  const { calls, visible_context, risk_class, version } = proposal;
  return (
    <Section
      title="Proposal"
      aside={
        <span className={css.aside}>
          <Badge tone={RISK_TONES[risk_class]}>{risk_class} risk</Badge>
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
            <h3 className={css.tool}>{visible(call.tool)}</h3>
            <Arguments
              label={`Arguments of ${visible(call.tool)}`}
              proposed={pretty(call.arguments)}
              edited={edits && (edits[call.id] ?? pretty(call.arguments))}
              onEdit={(text) => {
                onEdit(call.id, text);
              }}
              editorRef={index === 0 ? editorRef : undefined}
            />
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

/** The arguments of one call; once they are edited, with what that changes. */
function Arguments({
  label,
  proposed,
  edited,
  onEdit,
  editorRef,
}: {
  readonly label: string;
  readonly proposed: string;
  readonly edited: string | undefined;
  readonly onEdit: (text: string) => void;
  readonly editorRef: Ref<HTMLTextAreaElement> | undefined;
}) {
  if (edited === undefined) return <pre className={css.arguments}>{proposed}</pre>;
  const { value, fault } = argumentsIn(edited);
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
          onEdit(event.target.value);
        }}
      />
      {fault !== undefined && (
        <p className={css.fault} role="alert">
          {visible(fault)}
        </p>
      )}
      {value && <ArgumentsDiff before={proposed} after={pretty(value)} />}
    </div>
  );
}
