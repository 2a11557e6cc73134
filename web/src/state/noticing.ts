import { useEffect } from 'react';
import { useLocation } from 'wouter';
import type { SuspensionChange } from '../../../contracts/suspension/view.js';
import { showInIcon } from './favicon.js';
import { INBOX, hasWorkers } from './notifications.js';
import { useOpenCount } from './questions.js';
import { settingsNow } from './settings.js';

/*
 * What makes people notice questions. The part that shows them is loaded when the first one comes, if it is wanted at all.
 */

/** The changes by which a question comes, or comes again. */
const NEWS: readonly SuspensionChange['change'][] = [
  'opened',
  'attempt',
  'delegated',
  'eligibility_changed',
];
/** Questions that come within this time are shown together. */
const GATHER_MS = 500;

const arrived = new Set<string>();
let gathering: ReturnType<typeof setTimeout> | undefined;

/** Takes note of a change that the stream told. */
export function noteChange({ id, state, change }: SuspensionChange): void {
  const { notifies, sounds } = settingsNow();
  if (!(notifies || sounds) || state === 'settled' || !NEWS.includes(change)) return;
  arrived.add(id);
  gathering ??= setTimeout(() => {
    gathering = undefined;
    const ids = new Set(arrived);
    arrived.clear();
    void import('./notices.js').then(({ notice }) => notice(ids));
  }, GATHER_MS);
}

/** Has this browser told again after its person has signed in, and nobody else's questions shown to another person. */
export function usePushAgain(person: string): void {
  useEffect(() => {
    const { pushesTo } = settingsNow();
    if (pushesTo === '' || !hasWorkers()) return;
    void import('./push.js').then(async ({ goOnWithPush, leavePush }) => {
      if (pushesTo !== person) await leavePush().catch(() => undefined);
      else if (Notification.permission === 'granted') await goOnWithPush();
    });
  }, [person]);
}

/** Registers the service worker, goes where a notification leads, and shows in the icon how many questions wait. */
export function useNoticing(): void {
  const [, navigate] = useLocation();
  const count = useOpenCount() ?? 0;
  useEffect(() => {
    showInIcon(count);
  }, [count]);
  useEffect(() => {
    if (!hasWorkers()) return undefined;
    const { serviceWorker } = navigator;
    // While developing, vite serves the page, and has no service worker.
    if (import.meta.env.PROD) {
      const options = { scope: INBOX, updateViaCache: 'none' } as const;
      serviceWorker.register(`${INBOX}/service-worker.js`, options).catch(() => undefined);
    }
    const go = ({ data }: MessageEvent<{ readonly open?: string }>) => {
      if (data.open?.startsWith(INBOX)) navigate(data.open.slice(INBOX.length) || '/');
    };
    serviceWorker.addEventListener('message', go);
    return () => {
      serviceWorker.removeEventListener('message', go);
      showInIcon(0);
    };
  }, [navigate]);
}
