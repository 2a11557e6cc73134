/**
 * A receiver of Holdpoint's webhooks in a process of its own. It believes nothing whose signature does
 * not fit, takes a repeated delivery once, and prints each question with what it takes to answer it.
 */
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';

interface WebhookEvent {
  readonly type: string;
  readonly data: {
    readonly suspension_id: string;
    readonly question: string;
    readonly question_version?: number;
    /** Of an approval alone. What `context` has under the same name proves nothing: agents write it. */
    readonly proposal_hash?: string;
  };
}

const webhook = new Webhook(process.env['WEBHOOK_SECRET'] ?? '');
const taken = new Set<string>();

function take(body: string, headers: Record<string, string>): void {
  const { type, data } = webhook.verify(body, headers) as WebhookEvent;
  const id = headers['webhook-id'] ?? '';
  if (taken.has(id)) return;
  taken.add(id);
  console.log(`${type}: ${data.question}`);
  console.log(`  POST /v1/suspensions/${data.suspension_id}/respond`);
  // The version and the proposal that people have seen: an answer to others is refused.
  const version = `"question_version": ${data.question_version ?? 1}`;
  const hash = data.proposal_hash === undefined ? '' : `, "proposal_hash": "${data.proposal_hash}"`;
  console.log(`  {"value": …, ${version}${hash}}`);
}

const server = createServer((request, response) => {
  text(request)
    .then((body) => take(body, request.headers as Record<string, string>))
    .then(() => response.writeHead(204).end())
    .catch((error: unknown) => {
      response.writeHead(error instanceof WebhookVerificationError ? 401 : 500).end();
    });
});
server.listen(Number(process.env['PORT'] ?? '8080'), '127.0.0.1', () => {
  console.log('listening on', server.address());
});
