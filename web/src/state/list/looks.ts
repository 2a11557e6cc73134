import type { JsonObject, JsonValue } from '../../../../contracts/kernel/primitives.js';
import { isJsonObject } from '../../../../domain/kernel/json.js';
import { createContext, useContext } from 'react';

/*
 * Recognises what an agent's text is, where the page shows more than its words. It is not declared, so only plain
 * cases count, and the words always stay.
 */

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)$/;
const ADDRESS = /^https?:\/\/\S+$/;
const DIFF = /^--- .*\r?\n\+\+\+ .*\r?\n@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@/m;
/** A line that begins further to the right than others. */
const INDENTED = /\n(?: {2}|\t)[^\n]/;
const PICTURE = /^data:image\/(png|jpeg);base64,([A-Za-z0-9+/]+={0,2})$/;

export type Look = 'address' | 'instant' | 'diff' | 'code' | 'picture' | 'plain';

export function lookOf(text: string): Look {
  if (ADDRESS.test(text)) return 'address';
  if (INSTANT.test(text) && !Number.isNaN(Date.parse(text))) return 'instant';
  if (text.startsWith('data:')) return pictureIn(text) ? 'picture' : 'plain';
  if (DIFF.test(text)) return 'diff';
  return INDENTED.test(text) ? 'code' : 'plain';
}

export function kindOfLine(line: string): 'head' | 'hunk' | 'added' | 'removed' | 'same' {
  if (/^(?:--- |\+\+\+ |diff |index )/.test(line)) return 'head';
  if (line.startsWith('@@')) return 'hunk';
  if (line.startsWith('+')) return 'added';
  return line.startsWith('-') ? 'removed' : 'same';
}

/** The most columns of a table, and the most characters of all their names and of one cell, so that it fits without scrolling. */
const MOST_COLUMNS = 6;
const MOST_IN_HEAD = 60;
const MOST_IN_CELL = 120;

/** Returns the column names if a list is a table: several objects with similar names, and short values. */
export function columnsOf(values: readonly JsonValue[]): readonly string[] | undefined {
  if (values.length < 2 || !values.every(isJsonObject)) return undefined;
  const rows: readonly JsonObject[] = values;
  const names = new Set<string>();
  for (const row of rows) {
    for (const name of Object.keys(row)) names.add(name);
    if (names.size > MOST_COLUMNS) return undefined;
  }
  const isAlike = (row: JsonObject) => {
    const cells = Object.values(row);
    return cells.length * 2 > names.size && cells.every(isShort);
  };
  if (!rows.every(isAlike) || [...names].join('').length > MOST_IN_HEAD) return undefined;
  return [...names];
}

function isShort(value: JsonValue): boolean {
  if (typeof value === 'string') return value.length <= MOST_IN_CELL && !/[\n\r]/.test(value);
  return typeof value !== 'object' || value === null;
}

/** The size of a picture within a text. */
export interface Picture {
  readonly width: number;
  readonly height: number;
}

/** The largest width and height of a picture in px: a small text can hold one too large for any browser. */
const MOST_PX = 4_096;

/** Returns the size of the PNG or JPEG in a data URL; undefined if it is none, or too large to be drawn. */
export function pictureIn(text: string): Picture | undefined {
  const [, type, data] = PICTURE.exec(text) ?? [];
  const bytes = data === undefined ? undefined : bytesOf(data);
  const size = bytes && (type === 'png' ? sizeOfPng(bytes) : sizeOfJpeg(bytes));
  if (!size || Math.min(size.width, size.height) < 1) return undefined;
  return Math.max(size.width, size.height) <= MOST_PX ? size : undefined;
}

function bytesOf(base64: string): DataView | undefined {
  try {
    return new DataView(Uint8Array.from(atob(base64), (one) => one.charCodeAt(0)).buffer);
  } catch {
    return undefined;
  }
}

const PNG = 0x89_50_4e_47;

function sizeOfPng(bytes: DataView): Picture | undefined {
  if (bytes.byteLength < 24 || bytes.getUint32(0) !== PNG) return undefined;
  return { width: bytes.getUint32(16), height: bytes.getUint32(20) };
}

/** Walks through the segments of a JPEG to the one with its size. */
function sizeOfJpeg(bytes: DataView): Picture | undefined {
  if (bytes.byteLength < 4 || bytes.getUint16(0) !== 0xff_d8) return undefined;
  let at = 2;
  while (at + 9 <= bytes.byteLength && bytes.getUint8(at) === 0xff) {
    const marker = bytes.getUint8(at + 1);
    // 0xC4, 0xC8 and 0xCC are between the markers of frames, but begin none.
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      return { height: bytes.getUint16(at + 5), width: bytes.getUint16(at + 7) };
    }
    at += 2 + bytes.getUint16(at + 2);
  }
  return undefined;
}

/**
 * The hosts from which this page may load pictures; none on the page of a link. The server's policy for each page
 * says the same.
 */
export const ImageHosts = createContext<readonly string[]>([]);

/** Returns the host of an address if the page may load a picture from there. */
export function useImageHost(address: string): string | undefined {
  const hosts = useContext(ImageHosts);
  if (hosts.length === 0 || !URL.canParse(address)) return undefined;
  const { protocol, host, username, password } = new URL(address);
  // Browsers load nothing from an address with a user name.
  const isPlain = protocol === 'https:' && username === '' && password === '';
  return isPlain && hosts.includes(host) ? host : undefined;
}
