import type { Notice } from '../../../contracts/channel/notification.js';
import { quietUntil } from '../../../domain/directory/quiet-hours.js';
import { noticesOf } from '../../../domain/suspension/telling/notice.js';
import { api } from '../api/calls.js';
import type { Entry } from '../api/types.js';
import { serverNow } from './clock.js';
import { settingsNow } from './settings.js';
import { useEffect } from 'react';
import { useLocation } from 'wouter';
import type { SuspensionChange } from '../../../contracts/suspension/view.js';
import { INBOX, hasWorkers } from './push.js';
import { useOpenCount } from './list/questions.js';

const LOCK = 'holdpoint-notices';
/** Whether this tab is the one that shows notifications for all tabs, as long as it is open. */
const turn = { isMine: !('locks' in navigator) };
const asked = turn.isMine ? undefined : askForTurn();

/** Resolves once it is known whether no other tab has the turn; otherwise it comes when that tab is closed. */
async function askForTurn(): Promise<void> {
  const keep = () => {
    turn.isMine = true;
    return new Promise<never>(() => undefined);
  };
  await new Promise<void>((known) => {
    void navigator.locks.request(LOCK, { ifAvailable: true }, (lock) => {
      const kept = lock === null ? undefined : keep();
      known();
      return kept;
    });
  });
  if (!turn.isMine) void navigator.locks.request(LOCK, keep);
}

/** Notifies this person of their questions among these, unless another tab does. */
export async function notice(ids: ReadonlySet<string>): Promise<void> {
  await asked;
  if (!turn.isMine) return;
  const [found, hours] = await Promise.all([
    forMe(ids).catch(() => []),
    api.quietHours().catch(() => null),
  ]);
  const isQuiet = hours !== null && quietUntil(hours, serverNow()) !== undefined;
  if (isQuiet || found.length === 0) return;
  const { notifies, showsWords, sounds } = settingsNow();
  if (notifies) {
    const shown = found.map(({ record, ...entry }) => ({ ...entry, question: record.question }));
    await Promise.all(noticesOf(shown, showsWords).map(show));
  }
  if (sounds) play();
}

/** Returns the questions among these that the API lists for this person: it alone knows who may answer. */
async function forMe(ids: ReadonlySet<string>): Promise<readonly Entry[]> {
  const found = new Map<string, Entry>();
  // New questions come first by `newest`; a reminder raises an older one by `urgency`.
  for (const sort of ['newest', 'urgency']) {
    if (found.size === ids.size) break;
    const { suspensions } = await api.list({ view: 'for_me', sort });
    for (const entry of suspensions) if (ids.has(entry.id)) found.set(entry.id, entry);
  }
  return [...found.values()];
}

/** Shows it through the service worker, which knows whether any tab of the inbox is visible. */
async function show(shown: Notice): Promise<void> {
  const { active } = await navigator.serviceWorker.ready;
  active?.postMessage(JSON.stringify(shown));
}

/** Shows a sample notification, and plays its sound. */
export async function tryNotice(): Promise<void> {
  const { notifies, showsWords, sounds } = settingsNow();
  if (sounds) play();
  if (!notifies) return;
  const registration = await navigator.serviceWorker.ready;
  const body = showsWords ? 'Asked by an agent, as a try' : 'Open it in the inbox.';
  const title = showsWords
    ? 'Input needed: is this how you notice it?'
    : 'A question waits for you';
  await registration.showNotification(title, { body, tag: 'try', icon: '/inbox/icon-192.png' });
}

const NOTES = [660, 880];
const NOTE_SECONDS = 0.14;
const LOUDNESS = 0.15;

let audio: AudioContext | undefined;

/** Plays two short notes. Browsers allow it once somebody has pressed something on the page. */
function play(): void {
  audio ??= new AudioContext();
  void audio.resume();
  const volume = audio.createGain();
  volume.gain.value = LOUDNESS;
  volume.connect(audio.destination);
  for (const [index, frequency] of NOTES.entries()) {
    const note = audio.createOscillator();
    note.frequency.value = frequency;
    note.connect(volume);
    note.start(audio.currentTime + index * NOTE_SECONDS);
    note.stop(audio.currentTime + (index + 1) * NOTE_SECONDS);
  }
}

/** The icon has no room for more. */
const MOST_SHOWN = 9;

let plain: string | undefined;

/** Shows in the icon of the tab, and of the installed page, how many questions wait for this person; none for 0. */
export function showInIcon(count: number): void {
  const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]');
  if (icon === null) return;
  plain ??= icon.href;
  icon.href = count === 0 ? plain : `data:image/svg+xml,${encodeURIComponent(iconWith(count))}`;
  // Only browsers that install pages have badges, and they may refuse one.
  if ('setAppBadge' in navigator) navigator.setAppBadge(count).catch(() => undefined);
}

function iconWith(count: number): string {
  const text = count > MOST_SHOWN ? `${MOST_SHOWN}+` : String(count);
  const size = text.length > 1 ? 13 : 16;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<rect width="32" height="32" rx="7" fill="#2057c4"/>
<path d="M7 10v16M16 10v16M7 18h9" stroke="#fff" stroke-width="3.5" stroke-linecap="round"/>
<circle cx="22" cy="10" r="10" fill="#c4201f"/>
<text x="22" y="${10 + size * 0.36}" font-family="sans-serif" font-weight="bold" font-size="${size}" text-anchor="middle" fill="#fff">${text}</text>
</svg>`;
}

/* Makes people notice questions. The part that shows notifications is loaded with the first one, if they are wanted. */

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

/** Notes a change that the stream reported. */
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

/** Renews the browser's pushes after its person has signed in, and stops those for another person. */
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

/**
 * Registers the service worker, opens the target of a notification, and shows the number of open questions in the
 * icon.
 */
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
