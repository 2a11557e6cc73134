import type { UnionField } from '../form/field.js';
import { visible } from '../state/visible.js';
import { Label } from './field-parts.js';
import type { NestedProps } from './field-parts.js';
import css from './FormAnswer.module.css';

/** One of several kinds of a value. */
export function UnionInput({
  field,
  label,
  id,
  path,
  faults,
  marks,
  onChange,
  children,
  Part,
}: NestedProps<UnionField>) {
  const { labels, branch, inner } = field;
  return (
    <div className={css.group}>
      <Label id={id} label={label} field={field} />
      <select
        {...marks}
        value={branch === undefined ? '' : String(branch)}
        onChange={({ target }) => {
          onChange({ branch: target.value === '' ? -1 : Number(target.value) });
        }}
      >
        <option value="">{field.isRequired ? 'Choose…' : 'No answer'}</option>
        {labels.map((one, index) => (
          <option key={one} value={String(index)}>
            {visible(one)}
          </option>
        ))}
      </select>
      {children}
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
