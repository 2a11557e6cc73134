import { useEffect, useRef } from 'react';
import type { ChoiceField, SeveralField, TickField } from '../form/field.js';
import { chosenIn, severalIn, tickedIn } from '../form/read.js';
import { visible } from '../state/visible.js';
import { FieldSet, Label, Named, Small } from './field-parts.js';
import type { NamedProps } from './field-parts.js';
import css from './FormAnswer.module.css';

/** One of what a schema lists. Nothing is chosen before somebody does, or a default. */
export function ChoiceInput(props: NamedProps<ChoiceField>) {
  const { field, label, marks, onChange, children } = props;
  const chosen = chosenIn(field);
  if (field.options.every(({ value }) => typeof value === 'boolean')) return <Radios {...props} />;
  const at = chosen === undefined ? '' : String(field.options.indexOf(chosen));
  return (
    <div className={css.field}>
      <Label id={marks.id} label={label} field={field} />
      <select
        {...marks}
        value={at}
        onChange={({ target }) => {
          const option = target.value === '' ? undefined : field.options[Number(target.value)];
          onChange({ chosen: option?.value });
        }}
      >
        <option value="">{field.isRequired ? 'Choose…' : 'No answer'}</option>
        {field.options.map((option, index) => (
          <option key={JSON.stringify(option.value)} value={String(index)}>
            {visible(option.label)}
          </option>
        ))}
      </select>
      {chosen?.description !== undefined && (
        <p className={css.description}>{visible(chosen.description)}</p>
      )}
      {children}
    </div>
  );
}

/** Yes or no, in the words of the schema. */
function Radios({ field, label, marks, onChange, children }: NamedProps<ChoiceField>) {
  const chosen = chosenIn(field);
  const { id } = marks;
  const all = field.isRequired ? field.options : [...field.options, undefined];
  return (
    <FieldSet className={css.set} label={label} field={field} marks={marks}>
      {all.map((option) => (
        <label key={JSON.stringify(option?.value ?? null)} className={css.tick}>
          <input
            type="radio"
            name={id}
            checked={option === chosen}
            aria-invalid={marks['aria-invalid']}
            onChange={() => {
              onChange({ chosen: option?.value });
            }}
          />
          <span>
            {option ? visible(option.label) : 'No answer'}
            {option?.description !== undefined && (
              <span className={css.description}> {visible(option.description)}</span>
            )}
          </span>
        </label>
      ))}
      {children}
    </FieldSet>
  );
}

/** Yes or no by a tick, with what it says in words: not to touch it is no answer. */
export function TickInput({ field, label, marks, onChange, children }: NamedProps<TickField>) {
  const box = useRef<HTMLInputElement>(null);
  const value = tickedIn(field);
  useEffect(() => {
    if (box.current) box.current.indeterminate = value === undefined;
  }, [value]);
  const says = value === undefined ? 'No answer' : value ? 'Yes' : 'No';
  return (
    <div className={css.ticked}>
      <label className={css.tick}>
        <input
          ref={box}
          {...marks}
          aria-required={undefined}
          type="checkbox"
          checked={value === true}
          onChange={({ target }) => {
            onChange(target.checked);
          }}
        />
        <span>
          <Named label={label} field={{ ...field, isRequired: false }} />
        </span>
      </label>
      <span className={css.description}>{says}</span>
      {value !== undefined && !field.isRequired && (
        <Small
          onPress={() => {
            onChange({ chosen: undefined });
          }}
        >
          Leave out
        </Small>
      )}
      {children}
    </div>
  );
}

/** Several of what a schema lists, each once. */
export function SeveralInput({
  field,
  label,
  marks,
  onChange,
  children,
}: NamedProps<SeveralField>) {
  const several = severalIn(field);
  const chosen = new Set(several?.map((value) => JSON.stringify(value)));
  return (
    <FieldSet className={css.set} label={label} field={field} marks={marks}>
      {field.options.map(({ value, label: shown, description }) => (
        <label key={JSON.stringify(value)} className={css.tick}>
          <input
            type="checkbox"
            checked={chosen.has(JSON.stringify(value))}
            onChange={({ target }) => {
              const text = JSON.stringify(value);
              const rest = (several ?? []).filter((one) => JSON.stringify(one) !== text);
              onChange({ several: target.checked ? [...rest, value] : rest });
            }}
          />
          <span>
            {visible(shown)}
            {description !== undefined && (
              <span className={css.description}> {visible(description)}</span>
            )}
          </span>
        </label>
      ))}
      {field.isRequired && several === undefined && (
        <Small
          onPress={() => {
            onChange({ several: [] });
          }}
        >
          None of them
        </Small>
      )}
      {children}
    </FieldSet>
  );
}
