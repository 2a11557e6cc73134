import { diffLines } from 'diff';
import css from './ArgumentsDiff.module.css';

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
