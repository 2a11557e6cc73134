import { browserStorage } from './storage.js';
import { createStore, useStore } from './store.js';

/** What a person sets for this browser. */
export interface Settings {
  readonly theme: 'system' | 'light' | 'dark';
  /** Whether single letters, digits and signs are commands. Some people dictate, and then every word is one. */
  readonly singleKeys: boolean;
}

const NAME = 'holdpoint-settings';
const DEFAULTS: Settings = { theme: 'system', singleKeys: true };

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

/** Shows the page in the colours that are set. */
export function applyTheme(): void {
  const { theme } = settings.get();
  if (theme === 'system') document.documentElement.removeAttribute('data-theme');
  else document.documentElement.dataset['theme'] = theme;
}

/** The settings, and what changes them. They stay in this browser. */
export function useSettings(): readonly [Settings, (change: Partial<Settings>) => void] {
  const current = useStore(settings);
  return [current, change];
}

function change(part: Partial<Settings>): void {
  settings.set({ ...settings.get(), ...part });
  browserStorage.set(NAME, JSON.stringify(settings.get()));
  applyTheme();
}

/** Whether a single key is a command. */
export function hasSingleKeys(): boolean {
  return settings.get().singleKeys;
}
