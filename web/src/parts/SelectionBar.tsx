import { useLocation } from 'wouter';
import { select, useSelection } from '../state/selection.js';
import { Button } from './ui.js';
import css from './SelectionBar.module.css';

/** The actions on the selected questions. */
export function SelectionBar() {
  const selection = useSelection();
  const [, navigate] = useLocation();
  return (
    <div className={css.bar} role="group" aria-label="Selected questions">
      <span aria-live="polite">{selection.size} selected</span>
      <Button
        kind="primary"
        onPress={() => {
          navigate('/bulk');
        }}
      >
        Answer together…
      </Button>
      <Button
        kind="quiet"
        onPress={() => {
          select([]);
        }}
      >
        Clear
      </Button>
    </div>
  );
}
