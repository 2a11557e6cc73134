import type { SuspensionView } from '../contracts/suspension/view.js';
import {
  McpServer,
  type CallToolResult,
  type StandardSchemaWithJSON,
} from '@modelcontextprotocol/server';
import type { z } from 'zod';
import { acceptedInstead, isDenial, type ShownRefusal } from '../contracts/constants/denial.js';
import { fallbackCounts } from '../contracts/constants/fallback.js';
import { VERSION } from '../contracts/constants/names.js';
import { parseFields } from '../contracts/kernel/parse-fields.js';
import type { JsonObject, JsonValue } from '../contracts/kernel/primitives.js';
import { SUSPEND_CODES, type SuspendBody } from '../contracts/suspension/requests.js';
import {
  answerInput,
  answerOutput,
  askInput,
  askOutput,
  withdrawInput,
  withdrawOutput,
} from './schemas.js';
import { defined } from '../contracts/constants/defined.js';

/** A question as a tool asks it; its key finds it again. */
type KeyedQuestion = SuspendBody & { readonly request_key: string };

type Asked = SuspensionView & { readonly warnings?: readonly string[] | undefined };

/** The parts of the service that the tools need, in its own process or over HTTP. */
export interface Asker {
  /** Asks once; a repeat of the same question finds the first. */
  ask(question: KeyedQuestion): Promise<Asked>;
  /** Waits until the question is settled or the time is over; 0 seconds only read it. */
  wait(ticket: string, seconds: number, signal: AbortSignal): Promise<SuspensionView>;
  withdraw(ticket: string, reason: string | undefined): Promise<void>;
  /** Returns the address of the question for people; null if the service does not know its own address. */
  pageOf(ticket: string): string | null;
  /** Returns the text about a failure, which never reveals more than the API would. */
  told(error: unknown): ShownRefusal;
}

export function questionPage(address: string, ticket: string): string {
  return `${address.replace(/\/$/, '')}/inbox/q/${ticket}`;
}

const INSTRUCTIONS = [
  'Holdpoint puts a question to the people who may decide, reminds them, and keeps their answer.',
  'Call ask_human with a request_key, tell your user the page, and then call get_human_answer with the ticket until the status is not pending. Any later session may do that.',
  'Do not act as if a question that is pending or has expired were answered with yes, and go on only where is_denial is false or the answer itself clearly allows it.',
].join(' ');

function questionOf(input: z.output<typeof askInput>): KeyedQuestion {
  const { question, request_key, choices, fallback_value, ...rest } = input;
  const { text_format, denials, timeout_seconds } = rest;
  const optional = defined({
    text_format,
    choices: choices?.map(({ value, label = value, description }) => ({
      value,
      label,
      ...defined({ description }),
    })),
    denials,
    response_schema: rest.response_schema as JsonObject | undefined,
    context: rest.context as JsonObject | undefined,
    timeout_seconds,
  });
  return {
    question,
    request_key,
    response_type: rest.response_type ?? (choices === undefined ? 'confirm' : 'choice'),
    ...optional,
    ...(fallback_value === undefined || fallback_value === null
      ? { fallback_policy: 'fail' }
      : {
          fallback_policy: 'use_default_and_continue',
          fallback_value: fallback_value as JsonValue,
        }),
  };
}

type Status = z.output<typeof askOutput>['status'];

function statusOf({ record }: SuspensionView): Status {
  switch (record.resolution) {
    case 'responded':
      return 'answered';
    case 'expired':
      return 'expired';
    case 'cancelled':
      return 'withdrawn';
    case undefined:
      return 'pending';
  }
}

const ANSWERED = 'A person has answered';
const EXPIRED = 'Nobody answered in time';
const WAIT = 'Call get_human_answer with this ticket, now or later.';

/** Returns what to do with an answer or a fallback, which may say no. */
function nextWith(what: string, isDenied: boolean | null): string {
  if (isDenied === true) return `${what} says no: do not go on with what you asked about.`;
  if (isDenied === false) return `${what} is a go: go on with it.`;
  return `Nothing says whether ${what.toLowerCase()} is a yes: read it, and go on only if it clearly allows what you asked about.`;
}

function nextAfter(status: Status, has: boolean, isDenied: boolean | null): string {
  switch (status) {
    case 'pending':
      return WAIT;
    case 'answered':
      return `${ANSWERED}. ${nextWith('The answer', isDenied)}`;
    case 'expired':
      if (!has) return `${EXPIRED}, and there is no fallback: stop.`;
      return `${EXPIRED}. ${nextWith('The fallback', isDenied)}`;
    case 'withdrawn':
      return 'The question was withdrawn: there will be no answer.';
  }
}

function askedOutput(asker: Asker, view: Asked): z.output<typeof askOutput> {
  const status = statusOf(view);
  return {
    ticket: view.id,
    status,
    page: asker.pageOf(view.id),
    expires_at: view.record.expires_at ?? null,
    warnings: [...(view.warnings ?? [])],
    // If an earlier question was found, get_human_answer returns its outcome.
    next: status === 'withdrawn' ? nextAfter(status, false, null) : WAIT,
  };
}

function outcomeOf(view: SuspensionView): z.output<typeof answerOutput> {
  const { id, record, approvals, required } = view;
  const status = statusOf(view);
  const isFallback = fallbackCounts(record);
  const answer = status === 'answered' ? record.response : record.fallback_value;
  const has = status === 'answered' || isFallback;
  const isDenied = has ? isDenial(view, answer ?? null) : null;
  return {
    ticket: id,
    status,
    ...(has && { answer: answer ?? null }),
    is_denial: isDenied,
    from: status === 'answered' ? 'person' : isFallback ? 'fallback' : null,
    answered_by: record.responded_by ?? null,
    answered_at: record.responded_at ?? null,
    comment: record.comment ?? null,
    data: record.data ?? null,
    approvals,
    required,
    expires_at: record.expires_at ?? null,
    next: nextAfter(status, has, isDenied),
  };
}

/** Returns a result in both forms: for clients that use the schema, and for those that show the text. */
function result(output: Readonly<Record<string, unknown>>): CallToolResult {
  return {
    content: [{ type: 'text', text: JSON.stringify(output) }],
    structuredContent: output,
  };
}

function refused(told: ShownRefusal): CallToolResult {
  const { code, detail, field } = told;
  const allowed = acceptedInstead(told);
  const where = field === undefined ? '' : ` Field: ${field}.`;
  const what = allowed === undefined ? '' : ` Accepted: ${allowed}.`;
  const text = `${code}: ${detail}${where}${what}`;
  return { content: [{ type: 'text', text }], isError: true };
}

/** Returns the published schema of an input. The tool validates input itself, because the SDK would refuse it without a code. */
function published(schema: z.ZodType): StandardSchemaWithJSON {
  const { '~standard': standard } = schema;
  return { '~standard': { ...standard, validate: (value) => ({ value }) } };
}

/** Runs a tool. A refusal is a result that says what is accepted, so that the model can correct its call. */
async function answered<Input extends z.ZodType>(
  asker: Asker,
  schema: Input,
  input: unknown,
  run: (input: z.output<Input>) => Promise<Record<string, unknown>>,
): Promise<CallToolResult> {
  const parsed = parseFields(schema, input, SUSPEND_CODES);
  if (!parsed.ok) return refused(parsed.refusal);
  try {
    return result(await run(parsed.value));
  } catch (error) {
    return refused(asker.told(error));
  }
}

/** Withdraws a question. A repeated or late call changes nothing; the status says how the question ended. */
async function withdraw(asker: Asker, ticket: string, reason: string | undefined) {
  try {
    await asker.withdraw(ticket, reason);
    return { ticket, status: 'withdrawn' };
  } catch (error) {
    if (asker.told(error).code !== 'suspension_settled') throw error;
    const view = await asker.wait(ticket, 0, new AbortController().signal);
    return { ticket, status: statusOf(view) };
  }
}

/** Creates the server of tools for one caller, which reaches the service through `asker`. */
export function createMcpServer(asker: Asker): McpServer {
  const server = new McpServer(
    { name: 'holdpoint', title: 'Holdpoint', version: VERSION },
    { instructions: INSTRUCTIONS },
  );
  server.registerTool(
    'ask_human',
    {
      title: 'Ask a person',
      description:
        'Asks the people who may decide. Returns at once with a ticket; the answer comes later, by get_human_answer.',
      inputSchema: published(askInput),
      outputSchema: askOutput,
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
    },
    (input) =>
      answered(asker, askInput, input, async (asked) =>
        askedOutput(asker, await asker.ask(questionOf(asked))),
      ),
  );
  server.registerTool(
    'get_human_answer',
    {
      title: 'Get the answer of a person',
      description:
        'Waits a little for the answer to a question. While there is none, it is pending.',
      inputSchema: published(answerInput),
      outputSchema: answerOutput,
      annotations: { readOnlyHint: true, idempotentHint: true },
    },
    (input, { mcpReq }) =>
      answered(asker, answerInput, input, async ({ ticket, wait_seconds }) =>
        outcomeOf(await asker.wait(ticket, wait_seconds, mcpReq.signal)),
      ),
  );
  server.registerTool(
    'withdraw_question',
    {
      title: 'Withdraw a question',
      description: 'Takes a question back that nobody has to answer any more.',
      inputSchema: published(withdrawInput),
      outputSchema: withdrawOutput,
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
    },
    (input) =>
      answered(asker, withdrawInput, input, async ({ ticket, reason }) =>
        withdraw(asker, ticket, reason),
      ),
  );
  return server;
}
