import type { Caller } from '../../contracts/people/caller.js';
import type { PushTarget } from '../../contracts/people/push.js';
import type { QuietHours } from '../../contracts/people/quiet-hours.js';
import type { NoticedQuestion } from '../../domain/suspension/telling/notice.js';

/** A browser with something to be told. */
export interface DuePush extends PushTarget {
  readonly session_id: string;
  /** For whom its session stands. */
  readonly caller: Caller;
  /** The host of its push service. */
  readonly channel: string;
  /** How often sending failed since it last succeeded. */
  readonly tries: number;
  readonly quiet_hours: QuietHours | null;
  /** Whether its session was not used for so long that it shows no page any more. */
  readonly is_idle: boolean;
}

/** A question of which a browser is to be told. */
export interface PushedQuestion extends NoticedQuestion {
  readonly expires_at: string | null;
  /** Which of its attempts the browser is told of. */
  readonly mark: number;
}

/** What browsers of all spaces are told of, in the store. */
export interface PushWork {
  /** Forgets browsers whose sessions are over, and has others told of questions whose snooze has ended. */
  readonly sweep: () => Promise<void>;
  /** Finds out for whom new questions are, and returns whether there may be more. */
  readonly fanOut: () => Promise<boolean>;
  /** The browsers that are to be told of something now. */
  readonly due: (range: {
    readonly limit: number;
    /** Hosts that are not wanted. */
    readonly except: readonly string[];
  }) => Promise<readonly DuePush[]>;
  readonly questions: (due: DuePush) => Promise<readonly PushedQuestion[]>;
  /** Notes what a browser was told of, and when the rest may follow. */
  readonly told: (due: DuePush, told: readonly PushedQuestion[], next: string) => Promise<void>;
  readonly putOff: (due: DuePush, until: string, hasFailed: boolean) => Promise<void>;
  /** Forgets a browser that its push service does not know any more. */
  readonly end: (due: DuePush) => Promise<void>;
}
