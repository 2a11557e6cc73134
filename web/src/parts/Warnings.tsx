import type { Question } from '../api/types.js';
import { Notice } from './ui.js';
import { Written } from './Written.js';

/** Says what is unusual about a question: what its asker was warned of, or should have been refused. */
export function Warnings({ question: { warnings = [], state } }: { readonly question: Question }) {
  if (warnings.length === 0 || state === 'settled') return null;
  return (
    <Notice tone="info" title="Something is unusual about this question">
      <ul>
        {warnings.map((warning) => (
          <li key={warning}>
            <Written text={warning} />
          </li>
        ))}
      </ul>
    </Notice>
  );
}
