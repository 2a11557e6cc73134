import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useId, useState, type KeyboardEvent } from 'react';
import { Input, Label, Text, TextField } from 'react-aria-components';
import type { Candidate, CandidateGroup } from '../../../../contracts/suspension/verbs.js';
import { defined } from '../../../../contracts/constants/defined.js';
import { api } from '../../api/calls.js';
import { Written } from '../question/Written.js';
import css from './PersonField.module.css';

interface PersonFieldProps {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly isGroup: boolean;
  readonly onChange: (value: string, isGroup: boolean) => void;
}

type Suggested = Candidate | CandidateGroup;

function isGroupOf(one: Suggested): one is CandidateGroup {
  return 'group' in one;
}

function nameIn(one: Suggested): string {
  return isGroupOf(one) ? one.group : one.principal;
}

/** Returns the visible suggestions, the active one, and the actions of keys. */
function useSuggestions({ id, value, isGroup, onChange }: PersonFieldProps) {
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const text = value.trim();
  const all = useCandidates(id, text, isOpen);
  // The typed text is the name of the only remaining suggestion.
  const isChosen = (one: Suggested) => nameIn(one) === text && isGroupOf(one) === isGroup;
  const found = all.length === 1 && all.every(isChosen) ? [] : all;
  const isShown = isOpen && found.length > 0;
  const close = () => {
    setOpen(false);
    setActive(-1);
  };
  const choose = (one: Suggested) => {
    onChange(nameIn(one), isGroupOf(one));
    close();
  };
  /** Somebody who types the whole name of a group means the group, unless a person has the same name. */
  const leave = () => {
    const meant = all.filter((one) => nameIn(one) === text);
    if (isOpen && meant.length > 0 && meant.every(isGroupOf)) onChange(text, true);
    close();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.ctrlKey || event.metaKey) return;
    const chosen = isShown ? found[active] : undefined;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      setOpen(true);
      setActive(stepped(active, step, found.length));
    } else if (event.key === 'Enter' && chosen) {
      choose(chosen);
    } else if (event.key === 'Escape' && isShown) {
      close();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  };
  const type = (typed: string) => {
    onChange(typed, false);
    setOpen(typed.trim() !== '');
    setActive(-1);
  };
  return { found, isShown, active, leave, choose, onKeyDown, type };
}

/**
 * A field for the person, or the group, to whom a question is delegated. It suggests names; any other name of a
 * person can be typed too. It is a combobox of its own, because that of the library would double the code of the
 * dialogs.
 */
export function PersonField(props: PersonFieldProps) {
  const { label, value, isGroup } = props;
  const list = useId();
  const { found, isShown, active, leave, choose, onKeyDown, type } = useSuggestions(props);
  return (
    <TextField
      value={value}
      onChange={type}
      autoFocus
      isRequired
      className={`labelled ${css.field ?? ''}`}
    >
      <Label>{label}</Label>
      <Input
        dir="auto"
        autoComplete="off"
        spellCheck={false}
        placeholder="A name or a group"
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={isShown}
        {...defined({
          'aria-controls': isShown ? list : undefined,
          'aria-activedescendant': isShown && active >= 0 ? `${list}-${active}` : undefined,
        })}
        onKeyDown={onKeyDown}
        onBlur={leave}
      />
      {isGroup && (
        <Text slot="description" className={css.more}>
          A group: everybody in it may answer.
        </Text>
      )}
      {isShown && (
        <ul id={list} role="listbox" aria-label="Whom to delegate to" className={css.list}>
          {found.map((one, index) => (
            <Option
              key={`${isGroupOf(one) ? 'group' : 'person'} ${nameIn(one)}`}
              id={`${list}-${index}`}
              suggested={one}
              isActive={index === active}
              choose={choose}
            />
          ))}
        </ul>
      )}
    </TextField>
  );
}

/** Steps through the list and around its ends; -1 is the field itself. */
function stepped(active: number, step: number, length: number): number {
  const next = active + step;
  return next < -1 ? length - 1 : next >= length ? -1 : next;
}

/** Reads the suggestions; none without a reply, or if it is refused. */
function useCandidates(id: string, text: string, isOpen: boolean): readonly Suggested[] {
  const { data } = useQuery({
    queryKey: ['candidates', id, text],
    queryFn: ({ signal }) => api.candidates(id, text, signal),
    enabled: isOpen,
    placeholderData: keepPreviousData,
    retry: false,
  });
  return data === undefined ? [] : [...data.groups, ...data.candidates];
}

interface OptionProps {
  readonly id: string;
  readonly suggested: Suggested;
  readonly isActive: boolean;
  readonly choose: (suggested: Suggested) => void;
}

/** Returns the text beside a name in the list: the groups of a person, or the size of a group. */
function besideName(one: Suggested): string {
  if (isGroupOf(one))
    return one.members === 1 ? 'group of 1 person' : `group of ${one.members} people`;
  const { principal, name, groups } = one;
  return [...(name === undefined ? [] : [principal]), ...groups].join(', ');
}

function Option({ id, suggested, isActive, choose }: OptionProps) {
  const more = besideName(suggested);
  const name = isGroupOf(suggested) ? suggested.group : (suggested.name ?? suggested.principal);
  return (
    <li
      id={id}
      role="option"
      aria-selected={isActive}
      className={css.option}
      ref={(option) => {
        if (isActive) option?.scrollIntoView({ block: 'nearest' });
      }}
      // The field keeps the focus, or the list would close before the press counts.
      onPointerDown={(event) => {
        event.preventDefault();
      }}
      onMouseDown={(event) => {
        event.preventDefault();
      }}
      onClick={() => {
        choose(suggested);
      }}
    >
      <Written text={name} />
      {more !== '' && <Written text={more} className={css.more} />}
      {!suggested.may_answer && <span className={css.more}>may not answer yet</span>}
    </li>
  );
}
