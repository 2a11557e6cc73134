import type { Message, Thought } from './model.js';

/** Stands in for a model: it asks a person, waits for the answer, and deploys after a yes. */
export function script(messages: readonly Message[]): Thought {
  const spoken = messages.filter(({ role }) => role === 'assistant').length;
  const heard = messages.at(-1)?.content ?? '';
  switch (spoken) {
    case 0:
      return call('ask_human', {
        request_key: 'deploy-7',
        question: 'Deploy build 7 to production? All tests have passed.',
        response_type: 'confirm',
        context: { build: 7, risk: 'low' },
        timeout_seconds: 3600,
      });
    case 1:
      return call('get_human_answer', { ticket: read(heard)['ticket'] });
    case 2: {
      const { is_denial, answered_by, status } = read(heard);
      if (is_denial === false) return call('deploy', { build: 7 });
      return { text: `Not deployed: ${String(answered_by ?? status)}.`, calls: [] };
    }
    default:
      return { text: heard, calls: [] };
  }

  function call(name: string, args: Readonly<Record<string, unknown>>): Thought {
    return { text: '', calls: [{ id: `call-${spoken}`, name, arguments: args }] };
  }
}

/** The result of a tool of Holdpoint is JSON; a refusal is a text. */
function read(result: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(result) as Record<string, unknown>;
  } catch {
    throw new Error(result);
  }
}
