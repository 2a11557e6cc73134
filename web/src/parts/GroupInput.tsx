import { defined } from '../../../contracts/constants/defined.js';
import { enteredAs } from '../form/field.js';
import type { Entered, Entry, GroupField } from '../form/field.js';
import { edited, visible } from '../state/visible.js';
import { FieldSet, Fold, Small, replaced, withInner } from './field-parts.js';
import type { NestedProps } from './field-parts.js';
import css from './FormAnswer.module.css';

/** The fields of an object. A folded object is shown once somebody adds it. */
export function GroupInput(props: NestedProps<GroupField>) {
  const { field, label, id, path, faults, marks, onChange, children, Part } = props;
  const { members, more, isFolded, canFold } = field;
  const isWhole = path.length === 0;
  const of = enteredAs(field.entered, 'of')?.of ?? {};
  const set = (
    parts: Readonly<Record<string, Entered>>,
    entries: readonly Entry[] | undefined = more?.map(({ entry }) => entry),
  ) => {
    onChange({ of: parts, ...defined({ more: entries }) });
  };
  return (
    <FieldSet
      className={isWhole ? css.whole : css.group}
      label={isWhole && field.title === undefined ? '' : label}
      field={isWhole ? { ...field, isRequired: false } : field}
      marks={marks}
    >
      {children}
      {members.map(([name, member]) => (
        <Part
          key={name}
          field={member}
          name={name}
          id={`${id}_${name}`}
          path={[...path, name]}
          faults={faults}
          onChange={(entered) => {
            const { [name]: _, ...rest } = of;
            set(entered === undefined ? rest : { ...rest, [name]: entered });
          }}
        />
      ))}
      {more && (
        <More
          {...props}
          more={more}
          set={(entries) => {
            set(of, entries);
          }}
        />
      )}
      {canFold && <Fold label={label} isFolded={isFolded} added={{ of: {} }} onChange={onChange} />}
    </FieldSet>
  );
}

interface MoreProps extends NestedProps<GroupField> {
  readonly more: NonNullable<GroupField['more']>;
  readonly set: (entries: readonly Entry[]) => void;
}

/** The parts of an object that somebody has named, and a button for more. */
function More(props: MoreProps) {
  const { more, set } = props;
  const entries = more.map(({ entry }) => entry);
  return (
    <>
      {more.map((_, index) => (
        <NamedPart key={index} {...props} entries={entries} index={index} />
      ))}
      <Small
        onPress={() => {
          set([...entries, { name: '' }]);
        }}
      >
        Add
      </Small>
    </>
  );
}

interface NamedPartProps extends MoreProps {
  readonly entries: readonly Entry[];
  readonly index: number;
}

function NamedPart({ more, entries, index, id, path, faults, set, Part }: NamedPartProps) {
  const { entry, field } = more[index] ?? {};
  if (!entry || !field) return null;
  const { name = '' } = entry;
  return (
    <div className={css.entry}>
      <input
        type="text"
        aria-label={`${visible(name)} Key`.trim()}
        dir="auto"
        placeholder="Name"
        value={visible(name)}
        onChange={({ target: { value, selectionEnd } }) => {
          const typed = edited(name, value, selectionEnd ?? undefined);
          set(replaced(entries, index, { ...entry, name: typed }));
        }}
      />
      <Part
        field={field}
        name={name}
        id={`${id}_more_${index}`}
        path={[...path, name]}
        faults={faults}
        onChange={(inner) => {
          set(replaced(entries, index, withInner(entry, inner)));
        }}
      />
      <Small
        label={`Remove ${visible(name)}`}
        onPress={() => {
          set(replaced(entries, index));
        }}
      >
        Remove
      </Small>
    </div>
  );
}
