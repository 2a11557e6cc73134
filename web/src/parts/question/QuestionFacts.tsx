import { useState } from 'react';
import type { Question } from '../../api/types.js';
import { wordsOf } from '../../state/facts.js';
import { visible } from '../../state/list/visible.js';
import { Ago } from './TimeLeft.js';
import { Fact, Notice, Section, cx } from '../ui.js';
import { Written } from './Written.js';
import { workflowIdOf } from '../../../../contracts/constants/names.js';
import { useMe } from '../../state/session.js';
import css from './Facts.module.css';
import { useBlocks } from '../../state/list/questions.js';

/** The words for fields that can be changed, if they differ from the names. */
const WORDS: Readonly<Record<string, string>> = { question: 'wording', response_schema: 'form' };

/** Says that a question was changed after it was asked: who changed what, when, and why. */
export function Amended({ question }: { readonly question: Question }) {
  const seen = useWordingBefore(question);
  const amendments = question.timeline.filter(({ kind }) => kind === 'amended');
  const last = amendments.at(-1);
  if (!last || question.state === 'settled') return null;
  const { amended_by: by, changed, reason } = last.detail;
  const fields = Array.isArray(changed) ? changed.map(String) : [];
  const wordings = amendments.slice(0, -1).map(({ detail }) => detail['question']);
  const before = wordings.findLast((wording) => typeof wording === 'string') ?? seen;
  const what = fields.map((field) => WORDS[field] ?? wordsOf(field)).join(' and ');
  const verb = fields.length > 1 || fields[0] === 'choices' ? 'were' : 'was';
  return (
    <Notice tone="info" title={`Version ${question.question_version} of this question`}>
      <p>
        {what === '' ? 'It was' : `Its ${what} ${verb}`} changed
        {typeof by === 'string' && ` by ${visible(by)}`} <Ago at={last.at} />
        {typeof reason === 'string' && (
          <>
            : <Written text={reason} />
          </>
        )}
      </p>
      {fields.includes('question') && before !== undefined && (
        <>
          <p>
            Before: <Written text={before} as="del" />
          </p>
          <p>
            Now: <Written text={question.record.question} as="ins" />
          </p>
        </>
      )}
      {question.votes.length === 0 && <p>Answers to the previous version do not count.</p>}
    </Notice>
  );
}

/** Returns the wording of the previous version if this page has shown it. The timeline has only the wordings of amendments. */
function useWordingBefore({ record, question_version: version }: Question): string | undefined {
  const current = { version, wording: record.question };
  const [seen, setSeen] = useState<{ readonly now: typeof current; readonly before?: string }>({
    now: current,
  });
  if (seen.now.version !== version) setSeen({ now: current, before: seen.now.wording });
  return seen.before;
}

/** The facts for engineers: ids, and a link to Temporal. */
export function Identity({ question }: { readonly question: Question }) {
  const me = useMe();
  const { id, intent_id, record } = question;
  const workflow = workflowIdOf('suspension', id, me?.space);
  return (
    <Section title="Details" folds>
      <dl className={css.facts}>
        <Fact name="Asked">
          <Ago at={record.suspended_at} />
        </Fact>
        <Fact name="Question">
          <code>{id}</code>, version {question.question_version}
        </Fact>
        {intent_id !== null && (
          <Fact name="Intent">
            <code>{intent_id}</code>
          </Fact>
        )}
        {me?.temporal_ui && (
          <Fact name="Temporal">
            <a
              href={`${me.temporal_ui}/workflows/${encodeURIComponent(workflow)}`}
              target="_blank"
              rel="noopener noreferrer"
            >
              The workflow of this question
            </a>
          </Fact>
        )}
      </dl>
    </Section>
  );
}

const DEEPEST = 3;

export function BlocksTree({ id }: { readonly id: string }) {
  const { data: blocks = [] } = useBlocks(id);
  if (blocks.length === 0) return null;
  return (
    <Section title="Waits for this answer" aside={String(blocks.length)} folds>
      <ul className={css.tree}>
        {blocks.map((block) => (
          <li
            key={`${block.kind}${block.id}`}
            className={cx(block.depth > 0 && css[`depth-${Math.min(block.depth, DEEPEST)}`])}
          >
            <span className={css.kind}>{block.kind}</span>
            <span>{visible(block.title)}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
