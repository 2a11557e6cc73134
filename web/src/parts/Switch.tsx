import { SwitchButton, SwitchField } from 'react-aria-components';
import type { ReactNode } from 'react';
import { cx } from './ui.js';
import css from '../pages/Settings.module.css';

interface SwitchProps {
  readonly isOn: boolean;
  readonly isDisabled?: boolean;
  readonly onChange: (isOn: boolean) => void | Promise<void>;
  readonly children: ReactNode;
}

/** A setting that is on or off. */
export function Switch({ isOn, isDisabled = false, onChange, children }: SwitchProps) {
  return (
    <SwitchField
      isSelected={isOn}
      isDisabled={isDisabled}
      onChange={(selected) => void onChange(selected)}
    >
      <SwitchButton className={cx('tick', css.switch)}>
        <span className={css.track} aria-hidden="true" />
        {children}
      </SwitchButton>
    </SwitchField>
  );
}
