import { z } from 'zod';
import { proposalHashSchema } from './approval.js';
import { nameSchema } from './primitives.js';

/**
 * What a button in a message is for. Only its token carries this, encrypted: the id of a question is a secret outside
 * (R25-100). It names no person, for whoever presses it is known by Slack.
 */
export const buttonContentSchema = z.object({
  space: nameSchema,
  /** The channel of the configuration whose message has the button: no other may bring what was pressed. */
  channel: nameSchema,
  suspension_id: z.uuid(),
  question_version: z.int().min(1),
  /** The position of the choice that it answers with; without it, it asks for the answer. */
  choice: z.int().min(0).optional(),
  /** Of the proposal that the message showed. */
  proposal_hash: proposalHashSchema.optional(),
  /** Whether the question is answered although somebody else has claimed it. */
  despite_claim: z.literal(true).optional(),
});
export type ButtonContent = Readonly<z.output<typeof buttonContentSchema>>;

/**
 * Makes the token of a button. It carries when the question expires (ISO-8601); after that it opens still, and the question
 * says that it is over.
 */
export type MakeButton = (content: ButtonContent, expiresAt: string | undefined) => Promise<string>;

/** What makes and opens the tokens of buttons. */
export interface ButtonTokens {
  readonly make: MakeButton;
  readonly open: OpenButton;
}

/** Opens the token of a button; undefined if none of our keys has made it. One that has expired still opens. */
export type OpenButton = (token: string) => Promise<ButtonContent | undefined>;
