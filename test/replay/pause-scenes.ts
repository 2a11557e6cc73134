import { withdrawSignal } from '../../workflows/suspension/messages.js';
import { openPause, resumeBy } from '../workflows/support/pauses.js';
import { respond } from '../workflows/support/suspensions.js';
import type { Scene } from './scenes.js';

/** Suspensions for another reason than a question, as `POST /v1/suspensions` opens them, each to its end. */
export const PAUSE_SCENES: Readonly<Record<string, Scene>> = {
  async 'suspension-resumed-by-a-signal'(world) {
    const opened = await openPause(world);
    await respond(opened, await resumeBy(world, opened));
    await opened.handle.result();
    return { 'suspension-resumed-by-a-signal': opened.handle };
  },
  async 'suspension-that-nothing-resumes'(world) {
    const opened = await openPause(world, { timeout_outcome: 'skip' });
    await world.sleep('61 s');
    await opened.handle.result();
    return { 'suspension-that-nothing-resumes': opened.handle };
  },
  async 'suspension-withdrawn-before-it-is-resumed'(world) {
    const opened = await openPause(world);
    const cancel = { cancelled_by: 'root', settled_by: 'admin', reason: 'no need' } as const;
    await opened.handle.signal(withdrawSignal, cancel);
    await opened.handle.result();
    return { 'suspension-withdrawn-before-it-is-resumed': opened.handle };
  },
};
