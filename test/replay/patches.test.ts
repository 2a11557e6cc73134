import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { describe, it } from 'mocha';
import { frozenHistories, type FrozenHistory } from './histories.js';

type Event = FrozenHistory['content']['events'][number];
interface Marked extends Event {
  readonly markerRecordedEventAttributes?: {
    readonly details?: Readonly<
      Record<string, { readonly payloads?: readonly { readonly data: string }[] }>
    >;
  };
}

/** The ids of the patches in the code of workflows, as they are written there: each is a text in its call. */
function patchesIn(code: string): readonly string[] {
  return [...code.matchAll(/\bpatched\(([^)]*)\)/g)].map(([, id = '']) => id);
}

/** The ids of the patches that a history has a marker of, as they are written in code. */
function markersIn({ content }: Pick<FrozenHistory, 'content'>): readonly string[] {
  const events: readonly Marked[] = content.events;
  return events
    .flatMap(({ markerRecordedEventAttributes: marker }) => Object.values(marker?.details ?? {}))
    .flatMap(({ payloads = [] }) => payloads)
    .map(({ data }) => JSON.parse(Buffer.from(data, 'base64').toString()) as { id?: string })
    .map(({ id }) => `'${String(id)}'`);
}

/** The patches that no history has a marker of. */
function unrecorded(code: string, histories: readonly Pick<FrozenHistory, 'content'>[]) {
  const recorded = new Set(histories.flatMap(markersIn));
  return patchesIn(code).filter((id) => !recorded.has(id));
}

describe('the patches of workflows', () => {
  it('have a history with the marker of each', () => {
    const code = readdirSync('workflows', { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => readFileSync(`workflows/${file}`, 'utf8'))
      .join('\n');
    assert.deepEqual(unrecorded(code, frozenHistories()), []);
  });

  it('are found out without one, and where the id is no text', () => {
    const code =
      "if (patched('holdpoint-first') || patched('holdpoint-second')) return patched(ID);";
    const data = Buffer.from('{"id":"holdpoint-first","deprecated":false}').toString('base64');
    const marker = {
      eventType: 'EVENT_TYPE_MARKER_RECORDED',
      markerRecordedEventAttributes: { details: { 'patch-data': { payloads: [{ data }] } } },
    };
    const found = unrecorded(code, [{ content: { events: [marker] } }]);
    assert.deepEqual(found, ["'holdpoint-second'", 'ID']);
  });
});
