import { workflowIdOf } from '../../../contracts/constants/names.js';
import type { Question } from '../api/types.js';
import { useMe } from '../state/session.js';
import { Ago } from './TimeLeft.js';
import { Fact, Section } from './ui.js';
import css from './Facts.module.css';

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
