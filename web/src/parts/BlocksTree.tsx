import { useBlocks } from '../state/questions.js';
import { visible } from '../state/visible.js';
import { Section, cx } from './ui.js';
import css from './Facts.module.css';

const DEEPEST = 3;

/** An indented list of everything that waits for the answer. */
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
