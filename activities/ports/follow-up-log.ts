import type { SentMessage } from '../../contracts/channel/follow-up.js';
import type { FollowedQuestion } from '../../domain/suspension/telling/follow-up.js';

/** A message with something to tell, and its question. */
export interface DueFollowUp extends SentMessage, FollowedQuestion {
  readonly space: string;
  /** How often it could not be told. */
  readonly tries: number;
  /** How often there was something to tell; what noted an older count leaves the message due. */
  readonly news: number;
  /** Whether its person has no newer message of this question over this channel. */
  readonly latest: boolean;
}

/** The messages that are followed, in the store; of all spaces. */
export interface FollowUpLog {
  /** Finds what was missed while two transactions crossed. */
  readonly sweep: () => Promise<void>;
  readonly due: (range: {
    readonly at: string;
    readonly limit: number;
    /** Channels whose messages are not wanted. */
    readonly except: readonly string[];
  }) => Promise<readonly DueFollowUp[]>;
  /** Notes what a message shows now; null if nothing more is to be told. */
  readonly told: (sent: DueFollowUp, shows: number | null) => Promise<void>;
  readonly putOff: (sent: DueFollowUp, until: string) => Promise<void>;
}
