import { workflowIdOf } from '../../../contracts/constants/names.js';
import type { Question } from '../api/types.js';
import { useMe } from '../state/session.js';
import { Ago } from './TimeLeft.js';
import { Section } from './ui.js';
import css from './Facts.module.css';

/** What engineers want to know: ids, and where to look further. */
export function Identity({ question }: { readonly question: Question }) {
  const me = useMe();
  const { id, intent_id, record } = question;
  const workflow = workflowIdOf('suspension', id, me?.space);
  return (
    <Section title="Details" folds>
      <dl className={css.facts}>
        <div>
          <dt>Asked</dt>
          <dd>
            <Ago at={record.suspended_at} />
          </dd>
        </div>
        <div>
          <dt>Question</dt>
          <dd>
            <code>{id}</code>, version {question.question_version}
          </dd>
        </div>
        {intent_id !== null && (
          <div>
            <dt>Intent</dt>
            <dd>
              <code>{intent_id}</code>
            </dd>
          </div>
        )}
        {me?.temporal_ui && (
          <div>
            <dt>Temporal</dt>
            <dd>
              <a
                href={`${me.temporal_ui}/workflows/${encodeURIComponent(workflow)}`}
                target="_blank"
                rel="noopener noreferrer"
              >
                The workflow of this question
              </a>
            </dd>
          </div>
        )}
      </dl>
    </Section>
  );
}
