import type { Alert } from '../../../contracts/notification.js';
import type { JsonObject, JsonValue } from '../../../contracts/primitives.js';
import {
  escapedInJson,
  visible,
  visibleJson,
  visibleLine,
} from '../../../contracts/constants/visible-text.js';
import { shortened } from '../../../domain/kernel/text.js';
import type { Channel, OutgoingMessage } from '../channel.js';

/** Where a console channel writes; `process.stdout` is one. */
export interface ConsoleWriter {
  write(text: string, done: (error?: Error | null) => void): unknown;
}

/**
 * A channel that writes each message as one block of text in one write, so that blocks of concurrent
 * deliveries do not mix. Whoever knows a suspension's id can answer it, so the id is shown shortened
 * (R25-100). Rejects with the writer's error, or with the signal's reason before anything is written.
 *
 * @param name - the name under which the channel is configured
 */
export function createConsoleChannel(
  name: string,
  writer: ConsoleWriter = process.stdout,
): Channel {
  return {
    async deliver(message, { signal }) {
      signal.throwIfAborted();
      const text = `${describe(name, message).join('\n  ')}\n`;
      await new Promise<void>((resolve, reject) => {
        writer.write(text, (error) => (error ? reject(error) : resolve()));
      });
      return {};
    },
  };
}

/** The lines of a message. Nothing is marked in its command, which sends what it says. */
function describe(name: string, message: OutgoingMessage): string[] {
  if (message.alert) return describeAlert(name, message, message.alert);
  const { _attempt, _max_attempts, ...context } = message.context;
  const before = `[${name}] to ${message.notify_to ?? 'anyone'}, attempt ${message.attempt}/${message.max_attempts}`;
  const lines = [
    `answer with ${expectedAnswer(message)}`,
    message.expires_at === undefined ? 'does not expire' : `expires ${message.expires_at}`,
  ];
  if (message.held_by !== undefined) lines.push(`claimed by ${message.held_by}`);
  if (message.next_attempt_at !== null) lines.push(`next reminder ${message.next_attempt_at}`);
  if (Object.keys(context).length > 0)
    lines.push(`context ${visibleJson(JSON.stringify(context))}`);
  if (message.withheld > 0) lines.push(`${message.withheld} of its context entries not shown`);
  return [
    visibleLine(before),
    ...asked(message.text),
    ...lines.map(visibleLine),
    respondLine(message),
  ];
}

/** A question in one line, and if it has several, all of them below with a mark that tells them from ours. */
function asked(text: string): readonly string[] {
  const lines = visible(text).split('\n');
  return [visibleLine(text), ...(lines.length > 1 ? lines.map((line) => `| ${line}`) : [])];
}

function describeAlert(name: string, message: OutgoingMessage, alert: Alert): string[] {
  const { notify_to, text, due_at, suspension_id } = message;
  return [
    visibleLine(`[${name}] to ${notify_to ?? 'anyone'}, alert`),
    ...asked(text),
    visibleLine(`was due ${due_at}; run ${alert.run_id}, approval ${alert.approval_id}`),
    `suspension ${shortened(suspension_id)} is still open: this decides nothing, its answers do`,
  ];
}

/**
 * The whole command for an answer. The shortened id is all that it may show, so it says where the full one
 * is: the inbox lists it for operators.
 */
function respondLine({ suspension_id, intent_id, ...message }: OutgoingMessage): string {
  const id = shortened(suspension_id);
  const filter = intent_id === null ? '' : `?intent_id=${intent_id}`;
  const url = '"$HOLDPOINT_URL/v1/suspensions/<full id>/respond"';
  const headers = `-H 'X-API-Key: <operator key>' -H 'Content-Type: application/json'`;
  const { approval } = message;
  const value = exampleAnswer(message);
  const body = quoted({
    value,
    ...(approval && { proposal_hash: approval.proposal_hash }),
    ...(message.question_version !== undefined && { question_version: message.question_version }),
  });
  const command = `curl -X POST ${url} ${headers} -d ${body}`;
  const where = `respond to suspension ${id} (GET /v1/suspensions${filter} lists its full id)`;
  return `${visibleLine(where)}: ${command}`;
}

/** JSON as one word for a shell: neither a quote nor an unprintable character is left to end it. */
function quoted(body: JsonObject): string {
  return `'${visibleJson(JSON.stringify(body).replaceAll("'", escapedInJson))}'`;
}

function exampleAnswer({
  response_type: type,
  choices = [],
}: Pick<OutgoingMessage, 'response_type' | 'choices'>): JsonValue {
  const [first] = choices;
  if (first !== undefined) return first.value;
  if (type === 'confirm') return 'yes';
  return type === 'form' ? { field: 'value' } : 'your answer';
}

function expectedAnswer({ response_type: type, choices }: OutgoingMessage): string {
  if (choices !== undefined && choices.length > 0) {
    return choices
      .map(({ value, label, description }) => {
        const what = description === undefined ? label : `${label}: ${description}`;
        return `${JSON.stringify(value)} (${what})`;
      })
      .join(' or ');
  }
  if (type === 'confirm') return '"yes" or "no"';
  return type === 'form' ? 'an object of form fields' : 'text';
}
