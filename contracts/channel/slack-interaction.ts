import { z } from 'zod';
import { boundedText } from '../kernel/primitives.js';

const userSchema = z.object({ id: boundedText(100).min(1), team_id: boundedText(100).nullish() });
/** The workspace of the press, which may differ from the user's. */
const teamSchema = z.object({ id: boundedText(100) }).nullish();
const instantId = boundedText(100);

const pressSchema = z.object({
  type: z.literal('block_actions'),
  user: userSchema,
  team: teamSchema,
  /** Opens one form, within three seconds; no other press has the same. */
  trigger_id: boundedText(500).min(1),
  /** The address of a private reply. */
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

/** Slack's data about a person who presses a button or sends a form. */
export const slackInteractionSchema = z.discriminatedUnion('type', [pressSchema, submissionSchema]);

/** A member of Slack, by an id that is unique within its workspace. */
export type SlackMember = Pick<SlackPress | SlackSubmission, 'user' | 'team'>;

/** A request of Slack, with its body as it came. */
export interface SignedBySlack {
  readonly timestamp: string;
  readonly signature: string;
  readonly body: Uint8Array;
}

/** A press of a button whose signature has been checked. */
export interface FromSlack extends Pick<SignedBySlack, 'body'> {
  /** The names of the channels whose app has signed it; none if nobody has, or not lately. */
  readonly channels: readonly string[];
}
