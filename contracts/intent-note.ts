import type { JsonObject } from './json.js';
import type { SuspensionDraft } from './suspension.js';

/** What a coordinator does to the phases that are wired to an intent. */
export interface PhaseHold {
  readonly coordinator_id: string;
  readonly held: boolean;
}

/** What a coordinator asks on its own intent (AM-39). */
export interface OwnQuestion {
  readonly intent_id: string;
  readonly actor: string;
  readonly draft: SuspensionDraft;
}

/** An event that another workflow has appended to the log of an intent, once under its key. */
export interface IntentNote {
  readonly key: string;
  readonly intent_id: string;
  readonly actor: string;
  readonly event_type: string;
  readonly payload: JsonObject;
  /** A coordinator holds the phases wired to the intent from now on, or no longer (AM-40). */
  readonly hold?: PhaseHold;
  /** Asked instead, under the same key; the event is appended only where that intent cannot be suspended. */
  readonly question?: OwnQuestion;
}
