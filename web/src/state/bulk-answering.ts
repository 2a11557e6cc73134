import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { api } from '../api/calls.js';
import { RefusedError } from '../api/http.js';
import type { BulkAnswer, BulkResult, Entry } from '../api/types.js';
import type { JsonValue } from '../../../contracts/primitives.js';
import { VIA } from './answer-of.js';
import { holderOf } from './answering.js';
import { newKey } from './new-key.js';
import { select } from './selection.js';

/** One answer for many questions, as it is filled in. */
export interface ForAll {
  readonly value: JsonValue;
  /** What has to come with a decision whose question has a schema. */
  readonly data?: JsonValue;
}

interface BulkState {
  readonly isBusy: boolean;
  /** What became of each question so far, by its id. */
  readonly results?: ReadonlyMap<string, BulkResult>;
  readonly error?: unknown;
  /** The question that the API named as one of another shape. */
  readonly misfit?: string | undefined;
}

/**
 * Sends one answer to many questions. What others have claimed is refused at first; it is sent once more, and alone, when
 * somebody has seen who has it.
 */
export function useBulkAnswering(entries: readonly Entry[]) {
  const client = useQueryClient();
  const [state, setState] = useState<BulkState>({ isBusy: false });
  const [answer, setAnswer] = useState<ForAll>();
  const keyOf = useRepeatKeys();
  const deliver = async (to: readonly Entry[], what: ForAll, isDespite: boolean) => {
    setState({ ...state, error: undefined, misfit: undefined, isBusy: true });
    try {
      const body = bodyOf(to, what, isDespite);
      const told = await api.respondToAll(body, keyOf(body));
      const results = new Map(state.results);
      for (const result of told) results.set(result.suspension_id, result);
      setState({ isBusy: false, results });
      select([]);
    } catch (error) {
      setState({ ...state, isBusy: false, error, misfit: misfitIn(error, to) });
    } finally {
      void client.invalidateQueries();
    }
  };
  const held = entries.filter(({ id }) => {
    const { problem } = state.results?.get(id) ?? {};
    return problem !== undefined && holderOf(problem) !== undefined;
  });
  return {
    ...state,
    /** What was sent last. */
    answer,
    /** Those that were refused because somebody else has them. */
    held,
    send: (what: ForAll) => {
      setAnswer(what);
      return deliver(entries, what, false);
    },
    sendToHeld: async () => {
      if (answer) await deliver(held, answer, true);
    },
  } as const;
}

/** Which of the answers a refusal is about, where it says so. */
function misfitIn(error: unknown, to: readonly Entry[]): string | undefined {
  if (!(error instanceof RefusedError) || error.problem.code !== 'mixed_shapes') return undefined;
  const [, index] = /^answers\[(\d+)\]/.exec(error.problem.field ?? '') ?? [];
  return index === undefined ? undefined : to[Number(index)]?.id;
}

/** Gives the same request the same key, so that it does no harm where the first reply was lost; another one has another. */
function useRepeatKeys(): (body: BulkAnswer) => string {
  const keys = useRef(new Map<string, string>());
  return (body) => {
    const text = JSON.stringify(body);
    const key = keys.current.get(text) ?? newKey();
    keys.current.set(text, key);
    return key;
  };
}

function bodyOf(to: readonly Entry[], { value, data }: ForAll, isDespite: boolean): BulkAnswer {
  return {
    answers: to.map(({ id, question_version, record }) => ({
      suspension_id: id,
      question_version,
      ...(record.approval && { proposal_hash: record.approval.proposal_hash }),
    })),
    value,
    ...(data !== undefined && { data }),
    metadata: { via: VIA },
    ...(isDespite && { despite_claim: true }),
  };
}
