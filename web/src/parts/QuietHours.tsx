import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Input, Label, TextField } from 'react-aria-components';
import type { QuietHours as Hours } from '../../../contracts/people/quiet-hours.js';
import { api } from '../api/calls.js';

import { Problem } from './Problem.js';
import { Switch } from './Switch.js';
import css from '../pages/Settings.module.css';

const DAYS = [
  ['mon', 'Monday'],
  ['tue', 'Tuesday'],
  ['wed', 'Wednesday'],
  ['thu', 'Thursday'],
  ['fri', 'Friday'],
  ['sat', 'Saturday'],
  ['sun', 'Sunday'],
] as const;

/** The hours that people begin with, where they are. */
function usualHours(): Hours {
  const time_zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return { time_zone, from: '19:00', to: '08:00', whole_days: [] };
}

/** When a person wants no push, no notification and no sound, in any browser. */
export function QuietHours() {
  const client = useQueryClient();
  const query = useQuery({
    queryKey: ['quiet-hours'],
    queryFn: ({ signal }) => api.quietHours(signal),
  });
  const change = useMutation({
    mutationFn: async (hours: Hours | null) => {
      await (hours === null ? api.endQuietHours() : api.setQuietHours(hours));
      client.setQueryData(['quiet-hours'], hours);
    },
  });
  const { data: hours } = query;
  if (hours === undefined) return null;
  const save = (part: Partial<Hours>) => {
    change.mutate({ ...usualHours(), ...hours, ...part });
  };
  return (
    <>
      <Switch
        isOn={hours !== null}
        onChange={(isOn) => {
          change.mutate(isOn ? usualHours() : null);
        }}
      >
        Quiet hours, in every browser of mine
      </Switch>
      {hours !== null && <Times hours={hours} save={save} />}
      {change.error && <Problem error={change.error} />}
    </>
  );
}

interface TimesProps {
  readonly hours: Hours;
  readonly save: (part: Partial<Hours>) => void;
}

function Times({ hours, save }: TimesProps) {
  return (
    <>
      <div className={css.times}>
        <Time
          label="From"
          value={hours.from}
          onSave={(from) => {
            save({ from });
          }}
        />
        <Time
          label="To"
          value={hours.to}
          onSave={(to) => {
            save({ to });
          }}
        />
        <span className={css.hint}>{hours.time_zone}</span>
      </div>
      <div role="group" aria-label="Quiet all day" className="wrapping">
        <span>Quiet all day:</span>
        {DAYS.map(([day, name]) => (
          <Switch
            key={day}
            isOn={hours.whole_days.includes(day)}
            onChange={(isOn) => {
              const others = hours.whole_days.filter((one) => one !== day);
              save({ whole_days: isOn ? [...others, day] : others });
            }}
          >
            {name}
          </Switch>
        ))}
      </div>
    </>
  );
}

interface TimeProps {
  readonly label: string;
  readonly value: string;
  readonly onSave: (value: string) => void;
}

/** A time of day, which counts once it is whole. */
function Time({ label, value, onSave }: TimeProps) {
  return (
    <TextField
      className="tick"
      type="time"
      defaultValue={value}
      onChange={(entered) => {
        if (entered !== '') onSave(entered);
      }}
    >
      <Label>{label}</Label>
      <Input />
    </TextField>
  );
}
