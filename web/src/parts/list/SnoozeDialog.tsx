import { useQueryClient } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import { useLocation } from 'wouter';
import { NEXT_REMINDER } from '../../../../contracts/constants/duration.js';
import { api } from '../../api/calls.js';
import type { Question } from '../../api/types.js';
import type { Acting } from '../../state/answering/acting.js';
import { atTime, serverNow } from '../../state/clock.js';
import { renewSnoozes } from '../../state/list/snoozes.js';
import { lastList } from '../../state/list/views.js';
import { Dialog, DialogButtons } from '../Dialog.js';
import { Problem } from '../Problem.js';
import { Button } from '../ui.js';
import css from '../question/ActionDialogs.module.css';

const HOUR_MS = 3_600_000;
const MORNING = 9;
const MONDAY = 1;
const OTHER = 'other';

/** The instant at nine o'clock, so many days after another one. */
function morningAfter(now: number, days: number): number {
  const day = new Date(now);
  day.setDate(day.getDate() + days);
  return day.setHours(MORNING, 0, 0, 0);
}

/** Returns the times that people choose most, if they come before the question expires. */
function timesFor({ record, next_attempt_at }: Question): readonly (readonly [string, string])[] {
  const now = serverNow();
  const last = record.expires_at === undefined ? Infinity : Date.parse(record.expires_at);
  const toMonday = (MONDAY + 7 - new Date(now).getDay()) % 7 || 7;
  const instants = [
    ['For an hour', now + HOUR_MS],
    ['For four hours', now + 4 * HOUR_MS],
    ['Until tomorrow', morningAfter(now, 1)],
    ['Until Monday', morningAfter(now, toMonday)],
  ] as const;
  const times = instants.flatMap(([label, at]) => {
    const instant = new Date(at).toISOString();
    return at < last ? [[instant, `${label}: ${atTime(instant, now)}`] as const] : [];
  });
  if (next_attempt_at === null || Date.parse(next_attempt_at) >= last) return times;
  return [[NEXT_REMINDER, `Until the next reminder: ${atTime(next_attempt_at, now)}`], ...times];
}

interface SnoozeDialogProps {
  readonly question: Question;
  readonly acting: Acting;
  readonly onClose: () => void;
}

/** Asks until when a question is to be hidden, for this person only. */
export function SnoozeDialog({ question, acting, onClose }: SnoozeDialogProps) {
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const [times] = useState(() => timesFor(question));
  const [chosen, setChosen] = useState(times[0]?.[0] ?? OTHER);
  const [typed, setTyped] = useState('');
  const { id, record } = question;
  const at = Date.parse(typed);
  const isReady = chosen !== OTHER || !Number.isNaN(at);
  const submit = async () => {
    if (!isReady || acting.isBusy) return;
    const until = chosen === OTHER ? new Date(at).toISOString() : chosen;
    if (!(await acting.act(() => api.snooze(id, until)))) return;
    renewSnoozes(client);
    navigate(lastList());
  };
  return (
    <Dialog title="Snooze" onClose={onClose} onSend={() => void submit()}>
      <form
        className={css.form}
        onSubmit={(event: SubmitEvent) => {
          event.preventDefault();
          void submit();
        }}
      >
        <p>
          It leaves your lists, and nobody else’s. Reminders go on, and it comes back at once if it
          is changed.
          {record.expires_at !== undefined && ` It expires at ${atTime(record.expires_at)}.`}
        </p>
        <Until times={times} chosen={chosen} choose={setChosen} typed={typed} type={setTyped} />
        {acting.error !== undefined && <Problem error={acting.error} isReply />}
        <DialogButtons>
          <Button onPress={onClose}>Back</Button>
          <Button kind="primary" type="submit" isDisabled={!isReady} isPending={acting.isBusy}>
            Snooze
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}

interface UntilProps {
  readonly times: readonly (readonly [value: string, label: string])[];
  readonly chosen: string;
  readonly choose: (value: string) => void;
  /** The other time, in the form of the browser's input. */
  readonly typed: string;
  readonly type: (text: string) => void;
}

function Until({ times, chosen, choose, typed, type }: UntilProps) {
  return (
    <>
      <label className="labelled">
        <span>How long</span>
        <select
          autoFocus
          value={chosen}
          onChange={({ target: { value } }) => {
            choose(value);
          }}
        >
          {times.map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
          <option value={OTHER}>Until another time…</option>
        </select>
      </label>
      {chosen === OTHER && (
        <label className="labelled">
          <span>Until</span>
          <input
            type="datetime-local"
            value={typed}
            required
            onChange={({ target: { value } }) => {
              type(value);
            }}
          />
        </label>
      )}
    </>
  );
}
