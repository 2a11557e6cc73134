import { browserStorage } from './storage.js';
import { createStore, useStore } from './store.js';

export interface Settings {
  readonly theme: 'system' | 'light' | 'dark';
  /** Whether single letters, digits and signs are commands. People who dictate switch them off. */
  readonly singleKeys: boolean;
  /** Whether the browser shows notifications of questions that come while nobody looks at the inbox. */
  readonly notifies: boolean;
  /** Whether they may show the text of the question. */
  readonly showsWords: boolean;
  readonly sounds: boolean;
  /** For how many seconds an answer can be undone before it is sent. */
  readonly undoSeconds: number;
  /** The person who gets pushes in this browser while it is closed; empty without one. */
  readonly pushesTo: string;
}

/** The values of {@link Settings.undoSeconds}; 0 sends at once. */
export const UNDO_SECONDS: readonly number[] = [0, 5, 10, 30];

const NAME = 'holdpoint-settings';
const DEFAULTS: Settings = {
  theme: 'system',
  singleKeys: true,
  notifies: false,
  showsWords: true,
  sounds: false,
  undoSeconds: 5,
  pushesTo: '',
};

function kept(): Settings {
  try {
    return {
      ...DEFAULTS,
      ...(JSON.parse(browserStorage.get(NAME) ?? '{}') as Partial<Settings>),
    };
  } catch {
    return DEFAULTS;
  }
}

const settings = createStore(kept());

export function applyTheme(): void {
  const { theme } = settings.get();
  if (theme === 'system') document.documentElement.removeAttribute('data-theme');
  else document.documentElement.dataset['theme'] = theme;
}

/** Returns the settings, and a function that changes them. They stay in this browser. */
export function useSettings(): readonly [Settings, (change: Partial<Settings>) => void] {
  const current = useStore(settings);
  return [current, change];
}

function change(part: Partial<Settings>): void {
  settings.set({ ...settings.get(), ...part });
  browserStorage.set(NAME, JSON.stringify(settings.get()));
  applyTheme();
}

export function settingsNow(): Settings {
  return settings.get();
}

/** Returns for how many seconds an answer can be undone, whatever the browser has kept. */
export function undoSeconds(): number {
  const { undoSeconds: seconds } = settings.get();
  return UNDO_SECONDS.includes(seconds) ? seconds : DEFAULTS.undoSeconds;
}

export function hasSingleKeys(): boolean {
  return settings.get().singleKeys;
}
