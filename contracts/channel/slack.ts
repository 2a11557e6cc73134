import { z } from 'zod';
import { proposalHashSchema } from '../approval/approval.js';
import { boundedText, nameSchema } from '../kernel/primitives.js';

/**
 * The content of a button's token. It is encrypted, because the id of a question is secret (R25-100). Slack says who
 * presses.
 */
export const buttonContentSchema = z.object({
  space: nameSchema,
  /** The configured channel whose message has the button; a press from another channel is refused. */
  channel: nameSchema,
  suspension_id: z.uuid(),
  question_version: z.int().min(1),
  /** The position of the choice to answer with. Without it, the button asks for an answer. */
  choice: z.int().min(0).optional(),
  proposal_hash: proposalHashSchema.optional(),
  despite_claim: z.literal(true).optional(),
});
export type ButtonContent = Readonly<z.output<typeof buttonContentSchema>>;

/** Makes the token of a button. It still opens after the question has expired at `expires_at` (ISO-8601). */
export type MakeButton = (content: ButtonContent, expiresAt: string | undefined) => Promise<string>;

export interface ButtonTokens {
  readonly make: MakeButton;
  readonly open: OpenButton;
}

/** Opens the token of a button; undefined if none of our keys made it. An expired one still opens. */
export type OpenButton = (token: string) => Promise<ButtonContent | undefined>;

const userSchema = z.object({ id: boundedText(100).min(1), team_id: boundedText(100).nullish() });
/** The workspace of the press, which may differ from the user's. */
const teamSchema = z.object({ id: boundedText(100) }).nullish();
const instantId = boundedText(100);

const pressSchema = z.object({
  type: z.literal('block_actions'),
  user: userSchema,
  team: teamSchema,
  /** Opens one form, within three seconds; every press has its own. */
  trigger_id: boundedText(500).min(1),
  response_url: boundedText(2_000).optional(),
  container: z
    .object({ is_ephemeral: z.boolean().optional(), thread_ts: instantId.optional() })
    .optional(),
  actions: z
    .array(z.object({ action_id: boundedText(300), value: boundedText(4_000).optional() }))
    .max(100),
});
export type SlackPress = Readonly<z.output<typeof pressSchema>>;

/** The entries of a form: by block, then by element. */
const enteredSchema = z.record(z.string(), z.record(z.string(), z.record(z.string(), z.unknown())));
export type SlackEntered = Readonly<z.output<typeof enteredSchema>>;

const submissionSchema = z.object({
  type: z.literal('view_submission'),
  user: userSchema,
  team: teamSchema,
  view: z.object({
    id: boundedText(500).min(1),
    hash: boundedText(500).default(''),
    private_metadata: boundedText(4_000),
    state: z.object({ values: enteredSchema }),
  }),
});
export type SlackSubmission = Readonly<z.output<typeof submissionSchema>>;

export const slackInteractionSchema = z.discriminatedUnion('type', [pressSchema, submissionSchema]);

/** A member of Slack, by an id that is unique within its workspace. */
export type SlackMember = Pick<SlackPress | SlackSubmission, 'user' | 'team'>;

export interface SignedBySlack {
  readonly timestamp: string;
  readonly signature: string;
  readonly body: Uint8Array;
}

export interface FromSlack extends Pick<SignedBySlack, 'body'> {
  /** The names of the channels whose app signed it recently; empty if none did. */
  readonly channels: readonly string[];
}
