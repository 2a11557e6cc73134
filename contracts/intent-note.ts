import type { JsonObject } from './json.js';

/** An event that another workflow has appended to the log of an intent, once under its key. */
export interface IntentNote {
  readonly key: string;
  readonly intent_id: string;
  readonly actor: string;
  readonly event_type: string;
  readonly payload: JsonObject;
}
