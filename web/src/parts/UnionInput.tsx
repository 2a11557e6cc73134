import type { UnionField } from '../form/field.js';
import type { NestedProps } from './field-parts.js';
import { OneOf } from './OneOf.js';
import css from './FormAnswer.module.css';

/** One of several kinds of a value. */
export function UnionInput(props: NestedProps<UnionField>) {
  const { field, id, path, faults, onChange, Part } = props;
  const { labels, branch, inner } = field;
  return (
    <div className={css.group}>
      <OneOf
        {...props}
        options={labels.map((label) => ({ label }))}
        chosen={branch}
        onChoose={(index) => {
          onChange({ branch: index ?? -1 });
        }}
      />
      {inner && branch !== undefined && (
        <Part
          key={branch}
          field={inner}
          name={labels[branch] ?? ''}
          id={`${id}_${branch}`}
          // What is in it is at the same place; only an outermost group has no name.
          path={path}
          faults={faults}
          onChange={(entered) => {
            onChange({ branch, ...(entered !== undefined && { inner: entered }) });
          }}
        />
      )}
    </div>
  );
}
