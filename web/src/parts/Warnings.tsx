import type { Question } from '../api/types.js';
import { visible } from '../state/visible.js';
import { Notice } from './ui.js';

/** Says what is unusual about a question: what its asker was warned of, or should have been refused. */
export function Warnings({ question: { warnings = [], state } }: { readonly question: Question }) {
  if (warnings.length === 0 || state === 'settled') return null;
  return (
    <Notice tone="info" title="Something is unusual about this question">
      <ul>
        {warnings.map((warning) => (
          <li key={warning}>{visible(warning)}</li>
        ))}
      </ul>
    </Notice>
  );
}
