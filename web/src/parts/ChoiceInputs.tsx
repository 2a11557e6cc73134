import { useEffect, useRef } from 'react';
import type { ChoiceField, SeveralField, TickField } from '../form/field.js';
import { chosenIn, severalIn, tickedIn } from '../form/read.js';
import { FieldSet, Named, Small } from './field-parts.js';
import type { NamedProps } from './field-parts.js';
import { NamedOption, OneOf, SideBySide } from './OneOf.js';
import css from './FormAnswer.module.css';

/** A choice of one value of a schema. Nothing is chosen at first, unless there is a default. */
export function ChoiceInput(props: NamedProps<ChoiceField>) {
  const { field, onChange } = props;
  const option = chosenIn(field);
  const choosing = {
    ...props,
    options: field.options,
    chosen: option && field.options.indexOf(option),
    onChoose: (index: number | undefined) => {
      onChange({ chosen: index === undefined ? undefined : field.options[index]?.value });
    },
  };
  // Yes or no, in the words of the schema.
  const isYesOrNo = field.options.every(({ value }) => typeof value === 'boolean');
  if (isYesOrNo) return <SideBySide {...choosing} />;
  return (
    <div className={css.field}>
      <OneOf {...choosing} />
    </div>
  );
}

/** Yes or no by a tick, and in words, because an untouched box is no answer. */
export function TickInput({ field, label, marks, onChange, children }: NamedProps<TickField>) {
  const box = useRef<HTMLInputElement>(null);
  const value = tickedIn(field);
  useEffect(() => {
    if (box.current) box.current.indeterminate = value === undefined;
  }, [value]);
  const says = value === undefined ? 'No answer' : value ? 'Yes' : 'No';
  return (
    <div className={css.ticked}>
      <label className="tick">
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

/** A choice of several values of a schema, each once. */
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
        <label key={JSON.stringify(value)} className="tick">
          <input
            type="checkbox"
            checked={chosen.has(JSON.stringify(value))}
            onChange={({ target }) => {
              const text = JSON.stringify(value);
              const rest = (several ?? []).filter((one) => JSON.stringify(one) !== text);
              onChange({ several: target.checked ? [...rest, value] : rest });
            }}
          />
          <NamedOption label={shown} description={description} />
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
