import type { Notice } from '../../../contracts/channel/notice.js';
import { quietUntil } from '../../../domain/directory/quiet-hours.js';
import { noticesOf } from '../../../domain/suspension/telling/notice.js';
import { api } from '../api/calls.js';
import type { Entry } from '../api/types.js';
import { serverNow } from './clock.js';
import { settingsNow } from './settings.js';

const LOCK = 'holdpoint-notices';
/** Whether this tab is the one of the browser that notices for all, as long as it is open. */
const turn = { isMine: !('locks' in navigator) };
const asked = turn.isMine ? undefined : askForTurn();

/** Resolves once it is known whether the turn is free now; otherwise it comes when the tab that has it is closed. */
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

/** Has the questions noticed that are for this person, unless another tab does. */
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

/** The questions among these that the API lists for this person: it alone knows who may answer. */
async function forMe(ids: ReadonlySet<string>): Promise<readonly Entry[]> {
  const found = new Map<string, Entry>();
  // What has just come is new. A reminder makes an older question urgent.
  for (const sort of ['newest', 'urgency']) {
    if (found.size === ids.size) break;
    const { suspensions } = await api.list({ view: 'for_me', sort });
    for (const entry of suspensions) if (ids.has(entry.id)) found.set(entry.id, entry);
  }
  return [...found.values()];
}

/** Has the service worker show it. It knows whether somebody looks at any tab of the inbox. */
async function show(shown: Notice): Promise<void> {
  const { active } = await navigator.serviceWorker.ready;
  active?.postMessage(JSON.stringify(shown));
}

/** Shows how a notification looks, and sounds. */
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
