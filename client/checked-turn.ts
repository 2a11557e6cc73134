import { exactJson } from '../contracts/constants/exact-json.js';
import { LIMITS } from '../contracts/constants/limits.js';
import type { ToolResult } from '../contracts/approval/gate.js';
import type {
  AgentCheckpoint,
  ApprovalRequired,
  OpenApprovalBody,
} from '../contracts/approval/requests.js';
import type { JsonObject, JsonValue } from '../contracts/kernel/primitives.js';
import { HoldpointError } from './errors.js';
import { isObject } from './reply.js';

/** Further fields of a request: for whom, why, and what people see. */
export type AskedWith = Omit<OpenApprovalBody, 'run_id' | 'calls' | 'checkpoint' | 'request_key'>;

/** The calls of a turn, before any of them runs. */
export interface CheckedTurn {
  readonly run: string;
  readonly calls: readonly {
    readonly id: string;
    readonly tool: string;
    readonly arguments: JsonObject;
    readonly inputSchema?: JsonObject | undefined;
    /** The arguments that lists show of the call, as paths such as `to.country`; the first three unless given. */
    readonly summary?: readonly string[] | undefined;
  }[];
  readonly resume?: JsonValue | AgentCheckpoint | undefined;
  readonly request?: AskedWith;
}

/** Returns whether a person has to allow a call. */
export type CheckForIntervention = (
  call: CheckedTurn['calls'][number],
) => boolean | Promise<boolean>;

export type AskedRequest = ApprovalRequired & { readonly key: string };

type Call = CheckedTurn['calls'][number];

interface Placed {
  readonly index: number;
  readonly call: Call;
}

/**
 * The request about the calls of a turn, and a result for each malformed call, which must not run: the model reads the result.
 * If only such calls were gated, there is no request.
 */
export type TurnRequest = (AskedRequest | { readonly [Name in keyof AskedRequest]?: undefined }) & {
  readonly errored: readonly ToolResult[];
};

const NO_CALL = 'The call is no object with id, tool and arguments.';
const NO_JSON = 'The arguments of the call are not JSON.';
const TOO_MANY = `A turn has at most ${LIMITS.proposedCalls} calls.`;

/**
 * Asks about the gated calls of a turn together. A refusal of one call becomes its result, and the others are asked
 * about without it. Resolves with undefined if all calls may run.
 *
 * @param isGated - whether a call needs approval
 * @param open - asks about calls
 */
export async function askedAbout(
  calls: readonly Call[],
  isGated: (call: Call) => boolean | Promise<boolean>,
  open: (calls: readonly Call[]) => Promise<AskedRequest>,
): Promise<TurnRequest | undefined> {
  const faults = new Map<number, string>();
  const verdicts = calls.map(async (call, index) => {
    if (isObject(call)) return (await isGated(call)) ? [{ index, call }] : [];
    faults.set(index, NO_CALL);
    return [];
  });
  const gated = (await Promise.all(verdicts)).flat();
  for (const [place, { index, call }] of gated.entries()) {
    if (place >= LIMITS.proposedCalls) faults.set(index, TOO_MANY);
    else if (!isJson(call)) faults.set(index, NO_JSON);
  }
  const asked = await opened(gated, faults, open);
  if (asked === undefined && faults.size === 0) return undefined;
  const errored = calls.flatMap((call, index) => {
    const fault = faults.get(index);
    return fault === undefined ? [] : [erroredResult(call, fault)];
  });
  return { ...asked, errored };
}

async function opened(
  gated: readonly Placed[],
  faults: Map<number, string>,
  open: (calls: readonly Call[]) => Promise<AskedRequest>,
): Promise<AskedRequest | undefined> {
  for (;;) {
    const sound = gated.filter(({ index }) => !faults.has(index));
    if (sound.length === 0) return undefined;
    try {
      return await open(sound.map(({ call }) => call));
    } catch (error) {
      const refused = sound[placeIn(error)];
      if (refused === undefined) throw error;
      faults.set(refused.index, (error as HoldpointError).message);
    }
  }
}

/** Returns the index of the call that a refusal is about; -1 if it is about something else. */
function placeIn(error: unknown): number {
  if (!(error instanceof HoldpointError) || error.status !== 422) return -1;
  return Number(/^calls\[(\d+)\]/.exec(error.field ?? '')?.[1] ?? -1);
}

function isJson(call: Call): boolean {
  try {
    return exactJson(call) !== '';
  } catch {
    return false;
  }
}

/** Returns the same result as `gateTools`. */
function erroredResult(call: unknown, fault: string): ToolResult {
  const { id, tool } = isObject(call) ? call : {};
  const name = typeof tool === 'string' ? tool.slice(0, LIMITS.nameCharacters) : '';
  return {
    call_id: typeof id === 'string' ? id : '',
    name,
    status: 'errored',
    content: `Tool result for "${name}": ERROR. ${fault}`,
    is_error: true,
  };
}
