import { z } from 'zod';
import { proposalHashSchema } from '../approval/approval.js';
import { nameSchema } from '../kernel/primitives.js';

/** A button's token: encrypted, because the id of a question is secret (R25-100). Slack knows who presses. */
export const buttonContentSchema = z.object({
  space: nameSchema,
  /** The channel of the configuration whose message has the button: no other may bring what was pressed. */
  channel: nameSchema,
  suspension_id: z.uuid(),
  question_version: z.int().min(1),
  /** The position of the choice that it answers with. Without it, the button asks for an answer. */
  choice: z.int().min(0).optional(),
  proposal_hash: proposalHashSchema.optional(),
  despite_claim: z.literal(true).optional(),
});
export type ButtonContent = Readonly<z.output<typeof buttonContentSchema>>;

/** Makes the token of a button. It still opens after the question has expired at `expires_at` (ISO-8601). */
export type MakeButton = (content: ButtonContent, expiresAt: string | undefined) => Promise<string>;

/** Makes and opens the tokens of buttons. */
export interface ButtonTokens {
  readonly make: MakeButton;
  readonly open: OpenButton;
}

/** Opens the token of a button; undefined if none of our keys has made it. One that has expired still opens. */
export type OpenButton = (token: string) => Promise<ButtonContent | undefined>;
