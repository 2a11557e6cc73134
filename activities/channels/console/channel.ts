import type { Alert } from '../../../contracts/channel/notification.js';
import { shortId } from '../../../contracts/constants/names.js';
import { visible, visibleJson, visibleLine } from '../../../contracts/constants/visible-text.js';
import { shortened } from '../../../domain/kernel/text.js';
import type { Channel, OutgoingMessage } from '../channel.js';
import { decidersIn } from '../entries.js';

/** The output of a console channel, such as `process.stdout`. */
export interface ConsoleWriter {
  write(text: string, done: (error?: Error | null) => void): unknown;
}

export interface Pasted {
  /** The address of the inbox; absent if it is not known. */
  readonly inbox?: string | undefined;
  readonly command: string;
}

/** A word that every shell takes as it is, and that is no option. */
const PLAIN_WORD = /^[\w.,:@%+/][\w.,:@%+/=-]*$/;

/**
 * A channel that writes each message in one write, so that concurrent blocks do not mix. It shortens the suspension's
 * id, because whoever knows it can answer (R25-100). Rejects with the writer's error, or with the signal's reason
 * before anything is written.
 *
 * @param name - the configured name
 * @param pasted - what the commands and links in messages begin with
 */
export function createConsoleChannel(
  name: string,
  writer: ConsoleWriter = process.stdout,
  pasted: Pasted = { command: 'holdpoint' },
): Channel {
  return {
    async deliver(message, { signal }) {
      signal.throwIfAborted();
      const text = `${describe(name, message, pasted).join('\n  ')}\n`;
      await new Promise<void>((resolve, reject) => {
        writer.write(text, (error) => (error ? reject(error) : resolve()));
      });
      return {};
    },
  };
}

function describe(name: string, message: OutgoingMessage, pasted: Pasted): string[] {
  if (message.alert) return describeAlert(name, message, message.alert);
  const { _attempt, _max_attempts, ...context } = message.context;
  const before = `[${name}] to ${whomOf(message)}, attempt ${message.attempt}/${message.max_attempts}`;
  const lines = [
    ...(message.informs ? [`only ${decidersIn(message)} can answer`] : []),
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
    ...(message.informs ? [] : answerLines(message, pasted).map(visibleLine)),
  ];
}

/** Who is notified, or else who may decide. */
function whomOf({ notify_to, decided_by }: OutgoingMessage): string {
  return notify_to ?? (decided_by ? decidersIn({ decided_by }) : 'anyone');
}

/**
 * A question in one line. If it has several, all of them follow with a mark that distinguishes them from our own
 * lines.
 */
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
 * Where and how to answer, ready to paste. The beginning of the id identifies the question to those who may answer,
 * and is useless to others.
 */
function answerLines(message: OutgoingMessage, { inbox, command }: Pasted): readonly string[] {
  const id = shortId(message.suspension_id);
  const link = inbox === undefined ? [] : [`open: ${inbox}/q/${id}`];
  return [...link, `answer: ${command} ${answerArguments(message, id)}`];
}

/** The arguments of the command; for an approval, the command first shows what is decided on. */
function answerArguments(message: OutgoingMessage, id: string): string {
  const { response_type: type, choices = [], approval } = message;
  if (approval !== undefined) return `approve ${id}`;
  if (type === 'form') return `answer ${id} --field name=value`;
  if (type === 'text') return `answer ${id} 'your answer'`;
  if (choices.length === 0) return type === 'confirm' ? `answer ${id} yes` : `show ${id}`;
  const plain = choices.find(({ value }) => PLAIN_WORD.test(value));
  return plain === undefined ? `show ${id}` : `answer ${id} ${plain.value}`;
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
