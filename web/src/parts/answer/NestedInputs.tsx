import { defined } from '../../../../contracts/constants/defined.js';
import {
  enteredAs,
  type Entered,
  type Entry,
  type Field,
  type GroupField,
  type ListField,
} from '../../form/field.js';
import { edited, visible } from '../../state/list/visible.js';
import {
  FieldSet,
  Fold,
  Label,
  Small,
  replaced,
  withInner,
  type NamedProps,
  type NestedProps,
} from './field-parts.js';
import css from './FormAnswer.module.css';
import { Written } from '../question/Written.js';

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

/** The items of a list, which are those of a default at first. */
export function ListInput(props: NestedProps<ListField>) {
  const { field, label, marks, onChange, children } = props;
  const { entries, items, canGrow, canBeEmpty, canFold, isFolded } = field;
  const set = (next: readonly Entry[]) => {
    onChange({ entries: next });
  };
  const isOffered = canBeEmpty && (entries.length === 0 || field.fixed > 0);
  return (
    <FieldSet className={css.group} label={label} field={field} marks={marks}>
      {children}
      {items.map((_, index) => (
        <ListEntry key={index} {...props} index={index} set={set} />
      ))}
      <div className="wrapping">
        {canGrow && (
          <Small
            label={`Add to ${label}`}
            onPress={() => {
              set([...entries, {}]);
            }}
          >
            Add
          </Small>
        )}
        {isOffered && (
          <Small
            onPress={() => {
              set([]);
            }}
          >
            Leave it empty
          </Small>
        )}
        {canFold && (
          <Fold label={label} isFolded={isFolded} added={{ entries: [{}] }} onChange={onChange} />
        )}
      </div>
    </FieldSet>
  );
}

interface ListEntryProps extends NestedProps<ListField> {
  readonly index: number;
  readonly set: (entries: readonly Entry[]) => void;
}

function ListEntry({ field, index, label, id, path, faults, set, Part }: ListEntryProps) {
  const { entries, items, fixed } = field;
  const item = items[index];
  if (!item) return null;
  const swapped = (to: number) => {
    const [one = {}, other = {}] = [entries[index], entries[to]];
    set(replaced(replaced(entries, index, other), to, one));
  };
  return (
    <div className={css.entry}>
      <Part
        field={item}
        name={`${label} ${index + 1}`}
        id={`${id}_${index}`}
        path={[...path, String(index)]}
        faults={faults}
        onChange={(inner) => {
          set(replaced(entries, index, withInner(entries[index] ?? {}, inner)));
        }}
      />
      {index >= fixed && (
        <EntryButtons
          what={`${label} ${index + 1}`}
          up={index > fixed ? () => swapped(index - 1) : undefined}
          down={index < items.length - 1 ? () => swapped(index + 1) : undefined}
          remove={() => {
            set(replaced(entries, index));
          }}
        />
      )}
    </div>
  );
}

interface EntryButtonsProps {
  readonly what: string;
  readonly up: (() => void) | undefined;
  readonly down: (() => void) | undefined;
  readonly remove: () => void;
}

function EntryButtons({ what, up, down, remove }: EntryButtonsProps) {
  return (
    <div className="wrapping">
      {up && (
        <Small label={`Up: ${what}`} onPress={up}>
          Up
        </Small>
      )}
      {down && (
        <Small label={`Down: ${what}`} onPress={down}>
          Down
        </Small>
      )}
      <Small label={`Remove ${what}`} onPress={remove}>
        Remove
      </Small>
    </div>
  );
}

interface Named {
  readonly label: string;
  readonly description?: string | undefined;
}

interface Props extends Pick<NamedProps<Field>, 'field' | 'label' | 'marks' | 'children'> {
  readonly options: readonly Named[];
  /** The index of the chosen option; undefined until one is chosen. */
  readonly chosen: number | undefined;
  readonly onChoose: (index: number | undefined) => void;
}

/** Texts that an option of a list, which is one line, would change. */
const OF_SEVERAL_LINES = /\n|\t|^\s|\s$|\s{2}/;

/** A choice of one option, in a list if it can show the names as they are, else side by side. */
export function OneOf(props: Props) {
  const { options, chosen, field, label, marks, onChoose, children } = props;
  if (options.some((option) => OF_SEVERAL_LINES.test(option.label)))
    return <SideBySide {...props} />;
  const { description } = options[chosen ?? -1] ?? {};
  return (
    <>
      <Label id={marks.id} label={label} field={field} />
      <select
        {...marks}
        dir="auto"
        value={chosen === undefined ? '' : String(chosen)}
        onChange={({ target }) => {
          onChoose(target.value === '' ? undefined : Number(target.value));
        }}
      >
        <option value="">{noneOf(field)}</option>
        {options.map((option, index) => (
          <option key={index} value={String(index)} dir="auto">
            {visible(option.label)}
          </option>
        ))}
      </select>
      {description !== undefined && (
        <Written text={description} as="p" className={css.description} />
      )}
      {children}
    </>
  );
}

function noneOf({ isRequired }: Field): string {
  return isRequired ? 'Choose…' : 'No answer';
}

/** A choice of one option, all of which are visible. */
export function SideBySide({ options, chosen, field, label, marks, onChoose, children }: Props) {
  const none = field.isRequired ? [] : [{ label: noneOf(field), index: undefined }];
  const all = [...options.map((option, index) => ({ ...option, index })), ...none];
  return (
    <FieldSet className={css.set} label={label} field={field} marks={marks}>
      {all.map(({ index, ...option }) => (
        <label key={index ?? 'none'} className="tick">
          <input
            type="radio"
            name={marks.id}
            checked={index === chosen}
            aria-invalid={marks['aria-invalid']}
            onChange={() => {
              onChoose(index);
            }}
          />
          <NamedOption {...option} />
        </label>
      ))}
      {children}
    </FieldSet>
  );
}

export function NamedOption({ label, description }: Named) {
  return (
    <span>
      <Written text={label} />
      {description !== undefined && (
        <>
          {' '}
          <Written text={description} className={css.description} />
        </>
      )}
    </span>
  );
}
