import { useSettings } from '../state/settings.js';
import { Dialog, DialogButtons } from './Dialog.js';
import { Button } from './ui.js';
import css from './HelpDialog.module.css';

const KEYS: readonly (readonly [string, readonly (readonly [string, string])[]])[] = [
  [
    'List',
    [
      ['j k', 'next, previous question'],
      ['Enter', 'open it'],
      ['x', 'select it, to answer several together'],
      ['/', 'search'],
    ],
  ],
  [
    'Question',
    [
      ['j k', 'next, previous question'],
      ['Enter', 'next question, after your answer'],
      ['1 – 9', 'choose an answer'],
      ['Ctrl Enter', 'send it, or post the comment that you write; ⌘ Enter on a Mac'],
      ['z', 'undo an answer that was not sent yet'],
      ['e', 'edit the arguments of what is proposed'],
      ['c', 'claim it, release it, or take it back'],
      ['d', 'delegate it'],
      ['m', 'comment on it'],
      ['s', 'snooze it, or end that'],
      ['Esc', 'back to the list'],
    ],
  ],
];

export function HelpDialog({ onClose }: { readonly onClose: () => void }) {
  const [{ singleKeys }] = useSettings();
  return (
    <Dialog title="Keys" onClose={onClose} isWide>
      <div className={css.columns}>
        {KEYS.map(([where, keys]) => (
          <section key={where}>
            <h3>{where}</h3>
            <dl className={css.keys}>
              {keys.map(([key, what]) => (
                <div key={key}>
                  <dt>
                    {key
                      .split(' ')
                      .map((part) => (part === '–' ? ' – ' : <kbd key={part}>{part}</kbd>))}
                  </dt>
                  <dd>{what}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <p className={css.note}>
        {singleKeys
          ? 'No single key decides anything: an answer is sent with Ctrl Enter or its button, and what cannot be undone asks once more. Single keys can be switched off in the settings.'
          : 'Single keys are switched off in the settings; Ctrl Enter and Esc still work.'}
      </p>
      <DialogButtons>
        <Button onPress={onClose}>Close</Button>
      </DialogButtons>
    </Dialog>
  );
}
