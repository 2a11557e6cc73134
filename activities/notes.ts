import type { IntentNote } from '../contracts/intent-note.js';
import type { Activities } from './types.js';

/** `append` appends to the log of an intent, once under a key; nothing to a closed one. */
export interface NotePorts {
  readonly append: (note: IntentNote) => Promise<void>;
}

/** Lets a workflow append to the log of an intent that is not its own. */
export function createNoteActivities({ append }: NotePorts): Pick<Activities, 'noteIntent'> {
  return { noteIntent: append };
}
