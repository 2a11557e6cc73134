import { useQueryClient } from '@tanstack/react-query';
import { Suspense, lazy, useState } from 'react';
import { api } from '../api/calls.js';
import type { Question } from '../api/types.js';
import { useActing } from '../state/acting.js';
import { atTime } from '../state/clock.js';
import { useKeys } from '../state/keys.js';
import { useMay } from '../state/session.js';
import { renewSnoozes, useSnoozeOf } from '../state/snoozes.js';
import { Problem } from './Problem.js';
import { Button } from './ui.js';

const SnoozeDialog = lazy(async () => ({
  default: (await import('./SnoozeDialog.js')).SnoozeDialog,
}));

/** Puts a question off for this person, or ends that. */
export function SnoozeAction({ question }: { readonly question: Question }) {
  const [isOpen, setOpen] = useState(false);
  const client = useQueryClient();
  const mayDo = useMay()('snoozeSuspension');
  const { id } = question;
  const acting = useActing(id);
  const snooze = useSnoozeOf(id);
  const end = async () => {
    if (await acting.act(() => api.endSnooze(id))) renewSnoozes(client);
  };
  const run = () => {
    if (snooze) void end();
    else setOpen(true);
  };
  useKeys({ s: mayDo ? run : undefined });
  if (!mayDo) return null;
  return (
    <>
      <Button onPress={run} shortcut="s" isPending={acting.isBusy}>
        {snooze ? `End snooze, until ${atTime(snooze.until)}` : 'Snooze…'}
      </Button>
      {acting.error !== undefined && !isOpen && <Problem error={acting.error} isReply />}
      <Suspense>
        {isOpen && (
          <SnoozeDialog
            question={question}
            acting={acting}
            onClose={() => {
              acting.forget();
              setOpen(false);
            }}
          />
        )}
      </Suspense>
    </>
  );
}
