import type { Entry, ListField } from '../form/field.js';
import { FieldSet, Fold, Small, replaced, withInner } from './field-parts.js';
import type { NestedProps } from './field-parts.js';
import css from './FormAnswer.module.css';

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
