import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api } from '../../api/calls.js';
import { mayHaveArrived, refusalIn } from '../../api/http.js';
import type { Answer, Question } from '../../api/types.js';
import { askedBefore, confirmed, holderIn } from './acting.js';
import { noteSent, type Drafting } from './drafts.js';
import { serverNow } from '../clock.js';
import { headingOf } from '../facts.js';
import { holdBack, isInView, setPressed, takeBack, usePressed, useView } from './outbox.js';
import { WRITING, phaseOf, type Pressed } from '../phase.js';
import { renewQuestion } from '../store.js';
import { comeBack } from '../returning.js';
import { undoSeconds } from '../settings.js';
import { undoMs } from './undo.js';

/** Refusals of an answer that came too late: another answer, or an edit, was faster. */
const TOO_LATE: readonly unknown[] = [
  'suspension_settled',
  'suspension_mismatch',
  'question_version_mismatch',
  'proposal_hash_mismatch',
];

export type Answering = ReturnType<typeof useAnswering>;

/** Sends answers to a question, one at a time, and notes in its draft whether the last one counts. */
export function useAnswering(
  question: Question,
  readAt: number,
  me: string | undefined,
  drafting: Drafting,
) {
  const client = useQueryClient();
  const { id, record, question_version, state } = question;
  const pressed = usePressed(id);
  const phase = phaseOf(pressed, drafting.draft, question, readAt, me);
  useView(id);
  // Another answer was faster, or the question has changed: nothing remains to be sent.
  const isOvertaken =
    pressed.at === 'unsent' &&
    (state !== 'pending' || question_version !== pressed.answer.question_version);
  useEffect(() => {
    if (isOvertaken) takeBackTo(id, WRITING);
  }, [id, isOvertaken]);

  /** Holds an answer back for the time in the settings, or sends it at once. */
  const hand = (answer: Answer) => {
    const ms = undoMs(undoSeconds(), [record.expires_at], answer, serverNow());
    if (ms === 0) {
      void deliver(client, question, { at: 'sending', answer, wasHeld: false });
      return;
    }
    setPressed(id, { at: 'unsent', answer, until: Date.now() + ms });
    holdBack(id, ms, (isLast) =>
      deliver(client, question, { at: 'sending', answer, wasHeld: true }, isLast),
    );
  };
  return {
    phase,
    /** Sends an answer, or asks for a confirmation first. */
    send: (answer: Answer) => {
      const asking = askedBefore(question, record, me, answer);
      if (asking) setPressed(id, asking);
      else hand(answer);
    },
    confirm: () => {
      if (phase.at === 'asking') hand(confirmed(phase));
    },
    /** Takes back an answer that was not sent yet, and says so. */
    undo: () => {
      if (phase.at === 'unsent') takeBackTo(id, { at: 'undone' });
    },
    /** Forgets the last press of a button, unless its answer is being sent. */
    cancel: () => {
      if (phase.at !== 'sending') takeBackTo(id, WRITING);
    },
  } as const;
}

function takeBackTo(id: string, next: Pressed): void {
  takeBack(id);
  setPressed(id, next);
}

/** Sends an answer, and returns to its question if it is refused. Resolves to whether it was accepted. */
async function deliver(
  client: QueryClient,
  question: Question,
  sending: Extract<Pressed, { at: 'sending' }>,
  isLast = false,
): Promise<boolean> {
  const { id, record } = question;
  const { answer } = sending;
  setPressed(id, sending);
  const { key, replied } = noteSent(question, answer);
  try {
    const { status, body } = await api.respond(id, answer, key, isLast);
    const { approvals = 0, required = 1, resolution } = body;
    const isHandedOver = status === 202;
    replied(isHandedOver ? 'handed_over' : 'counted');
    const { question_version } = answer;
    const counted = { at: 'counted', approvals, required, question_version } as const;
    const taken = resolution === undefined ? counted : ({ at: 'sent', answer } as const);
    setPressed(id, isHandedOver || !isInView(id) ? WRITING : taken);
    return true;
  } catch (error) {
    const problem = refusalIn(error);
    const isLost = mayHaveArrived(error);
    replied(isLost || TOO_LATE.includes(problem?.code) ? 'open' : 'refused');
    const held = holderIn(problem);
    setPressed(id, held ? { at: 'asking', answer, held } : { at: 'failed', error, isLost });
    if (!isInView(id)) comeBack({ path: `/q/${id}`, title: headingOf(record.question) });
    return false;
  } finally {
    renewQuestion(client, id);
  }
}
