import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api/calls.js';
import { NARROWED_BY, namesIn } from '../state/report.js';
import type { reportOf } from '../state/report.js';
import { Choice, optionsOf } from './Choice.js';
import { Button } from './ui.js';

type Chosen = Pick<ReturnType<typeof reportOf>, 'narrowed' | 'span'>;
type Narrow = (name: string) => (value: string | undefined) => void;

/** Narrows the report to an agent, a tool, a group or a channel. Their names are read once somebody wants to choose. */
export function ReportFilters({
  chosen,
  narrow,
}: {
  readonly chosen: Chosen;
  readonly narrow: Narrow;
}) {
  const [isWanted, setWanted] = useState(false);
  const { narrowed, span } = chosen;
  if (!isWanted && Object.keys(narrowed).length === 0) {
    return (
      <Button
        onPress={() => {
          setWanted(true);
        }}
      >
        Filter…
      </Button>
    );
  }
  return NARROWED_BY.map(([name, label, none]) => (
    <NameChoice
      key={name}
      name={name}
      label={label}
      none={none}
      value={narrowed[name]}
      span={span}
      onChange={narrow(name)}
    />
  ));
}

interface NameChoiceProps {
  readonly name: string;
  readonly label: string;
  readonly none: string;
  readonly value: string | undefined;
  readonly span: Chosen['span'];
  readonly onChange: (value: string | undefined) => void;
}

/** A choice among the names of these days. The address may choose one that no question of them has. */
function NameChoice({ name, label, none, value, span, onChange }: NameChoiceProps) {
  const query = { group_by: name, ...span };
  const { data } = useQuery({
    queryKey: ['engagement', query],
    queryFn: ({ signal }) => api.engagement(query, signal),
  });
  const names = data === undefined ? [] : namesIn(data);
  return (
    <Choice
      label={label}
      value={value}
      none={none}
      options={optionsOf(names, value)}
      onChange={onChange}
    />
  );
}
