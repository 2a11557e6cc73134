import type { Question } from '../../api/types.js';
import type { Answering } from '../../state/answering/answering.js';
import { useNow } from '../../state/clock.js';
import { valueText } from '../../state/facts.js';
import { useKeys } from '../../state/keys.js';
import type { Given } from '../../state/phase.js';
import type { Walk } from '../../state/list/walk.js';
import { KeyHint, NextButton } from '../Navigation.js';
import { Button, Notice, Section } from '../ui.js';
import css from './AnswerPanel.module.css';

interface UnsentProps {
  readonly question: Question;
  readonly phase: Given;
  readonly undo: Answering['undo'];
  readonly walk: Walk;
}

/** Replaces the fields of an answer that was sent and can still be undone, until the question shows it. */
export function Unsent({ question, phase, undo, walk }: UnsentProps) {
  const { at, answer } = phase;
  const canUndo = at === 'unsent' ? undo : undefined;
  useKeys({ z: canUndo, 'Mod+z': canUndo });
  const said = typeof answer.value === 'object' ? undefined : valueText(answer.value, question);
  return (
    <Section title="Your answer" className={css.section}>
      <Notice
        tone={at === 'sent' ? 'good' : 'info'}
        title={TITLES[at]}
        replyTo={at}
        actions={
          <>
            {canUndo && (
              <Button shortcut="z" onPress={canUndo}>
                Undo
                <KeyHint>z</KeyHint>
              </Button>
            )}
            <NextButton walk={walk} />
          </>
        }
      >
        {said !== undefined && <p dir="auto">{said}</p>}
        {at === 'unsent' && <Countdown until={phase.until} />}
      </Notice>
    </Section>
  );
}

const TITLES = { unsent: 'Not sent yet', sending: 'Sending…', sent: 'Your answer counts' } as const;

/** Says when an answer is sent. The seconds are seen only: a screen reader would read each of them. */
export function Countdown({ until }: { readonly until: number }) {
  useNow();
  const seconds = Math.max(0, Math.ceil((until - Date.now()) / 1_000));
  return (
    <p>
      It is sent <span aria-hidden="true">in {seconds} s</span>
      <span className="only-heard">in a moment</span>, or at once when you go on.
    </p>
  );
}
