import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { outcomeOf, type CallVector } from './calls.js';

/*
 * Writes calls.json. Usage: npx tsx test/vectors/make-calls.ts
 */

const x = (value: string): string => `{"x":${value}}`;
const nested = (levels: number, inner: string): string =>
  x('['.repeat(levels) + inner + ']'.repeat(levels));

/** Numbers near the edges of whole numbers, of the exponent, and of the notation. */
const POWERS = [
  -324, -323, -308, -307, -100, -22, -10, -9, -8, -7, -6, -5, -4, -3, -2, -1, 0, 1, 2, 5, 10, 14,
  15, 16, 17, 18, 19, 20, 21, 22, 23, 50, 100, 300, 307, 308, 309,
].flatMap((power) => [`1e${power}`, `-1.5E${power}`, `1.234567890123456e${power}`]);

const WHOLE = [53, 54, 55, 60, 63, 64, 69, 70, 100, 1023].flatMap((power) =>
  [-1n, 0n, 1n, 2n].map((more) => String(2n ** BigInt(power) + more)),
);

/** Returns the words of a text, each of which is a number or something like one. */
const words = (text: string): readonly string[] => text.trim().split(/\s+/);

const NUMBERS = [
  words(`
    0 -0 0.0 -0.0 -0e5 1 1.0 1.00 10e-1 100 1E2 1e+2 0.1 0.10 0.3 0.30000000000000004 0.1e1 -1 -17.25
    5e-324 4.9e-324 1.7976931348623157e308 1.7976931348623159e308 2.2250738585072014e-308 1e-400
    0e-400 0e999999999999 0.000001 0.0000001 123456789012345680000 1e21 999999999999999900000
    1000000000000000000000 9007199254740991 9007199254740992 9007199254740993 -9007199254740993
    9007199254740993.0 9007199254740994 1152921504606846976 1152921504606847000 12345678901234567890
    333333333.33333329 333333333.3333333 1.1 1.10000000000000000001 4.35 0.000035 1e-7 9.5e-7
    4503599627370496.5 4503599627370497.25 999999999999999999999999999999 10000000000000000000000
    0.3333333333333333333333333333 31415926535897932384626433832795 6.02214076e23 -6.62607015e-34`),
  POWERS,
  WHOLE,
].flat();

const MALFORMED = words(String.raw`01 1. .5 +1 0x10 1_000 1e --1 nan "\x" 'a'`);

/** Returns the lines of a text, each of which is JSON or something like it. */
const lines = (text: string): readonly string[] => text.trim().split('\n');

const BROKEN = [
  '',
  ...lines(`{\n{"x":1\n{"x":1,}\n{'x':1}\n{"x":[1,]}\n{x:1}\nundefined\n{"x":"\u0001"}`),
];

const TEXTS = words(`
    a Zoë Zo\u0065\u0308 straße İstanbul 日本 😀 👩‍👩‍👧 \u007f \u0080 \u200b \ufffd \uffff \ue000 \u{10ffff} " \\ /
    </script> \b \u0001 \u001f a\u200bb ﬀ ١٢٣ שלום`)
  .concat(['', ' a ', '\t', '\n', '\f', '\r', '\u00a0', '\u2028', '\u2029', '\ufeff'])
  .map((text) => x(JSON.stringify(text)));

const ESCAPES = words(String.raw`\u0041 \ud83d\ude00 \/ \u00e9 \u000a \u2028`).map((text) =>
  x(`"${text}"`),
);

const UNSOUND = words(String.raw`\u0000 a\u0000b \ud800 \udc00 \ude00\ud83d a\ud83db`);

/** In UTF-16 the emoji comes before U+E000, U+FB01 and U+FFFD; by code points it comes after. */
const ORDERS = lines(
  '{"\ue000":1,"😀":2}\n{"😀":2,"\ue000":1}\n{"ﬁ":1,"😀":2,"\ufffd":3,"z":4,"é":5,"\u{10ffff}":6}',
);

const OBJECTS = lines(String.raw`{}
{"a":1,"b":2}
{"b":2,"a":1}
{"a":{"d":1,"c":2},"b":[]}
{"b":[],"a":{"c":2,"d":1}}
{"10":1,"9":2,"1":3}
{"1":3,"9":2,"10":1}
{"":1,"a":2}
{"A":1,"a":2,"_":3,"Z":4}
{"é":1,"e\u0301":2,"z":3}
{"a":1,"a\u0020":2,"b ":3}
{"a.b":1,"a":{"b":2}}
{"a/b":1}
{"constructor":1,"toString":2,"hasOwnProperty":3}
{"\"":1,"\\":2}
{"x":1,"x\u0000":2}
{"x":1,"x":2}
{"a":{"x":1,"x":1}}
{"x":1,"\u0078":2}
{"__proto__":1}
{"a":{"__proto__":1}}
{"a":[{"\ud800":1}]}
{"to":"DE1","amount":500}
{"amount":500,"to":"DE1"}
 { "a" : [ 1 , 2 ] }
{"a":null}
{"a":[null,true,false,0,"",[],{}]}
{"a":[3,1,2]}
{"a":[[],[[]]]}
{"a":[{"b":[{"c":[{"d":1e400}]}]}]}
{"a":{"b":[0,{"c":9007199254740993}]}}
{"a":true}
{"a name":9007199254740993}`).concat(`{"${'n'.repeat(70)}":9007199254740993}`);

const DEPTHS = [1, 10, 50, 95, 96, 97, 98, 99, 100, 101, 150].flatMap((levels) => [
  nested(levels, '1'),
  nested(levels, ''),
]);
const DEEP_OBJECTS = [20, 95, 96, 97, 98].map((levels) =>
  x('{"a":'.repeat(levels) + '1' + '}'.repeat(levels)),
);

/** Objects whose names come in many orders. */
const MIXED = Array.from({ length: 24 }, (_, seed) => {
  const names = ['to', 'amount', 'Zoë', '😀', '\ufb01', '10', '9', '_', 'a b', '\u00e9'];
  const parts = names.map((name, at) => {
    const value = [at * seed, `t${seed}`, [seed / 7, at], { b: seed, a: at / 3 }][(at + seed) % 4];
    return {
      order: (at * 7 + seed * 3) % names.length,
      text: `${JSON.stringify(name)}:${JSON.stringify(value)}`,
    };
  });
  return `{${parts
    .sort((a, b) => a.order - b.order)
    .map(({ text }) => text)
    .join(',')}}`;
});

const ALL = [
  NUMBERS.map(x),
  MALFORMED.map(x),
  BROKEN,
  TEXTS,
  ESCAPES,
  UNSOUND.map((text) => x(`"${text}"`)),
  ORDERS,
  OBJECTS,
  DEPTHS,
  DEEP_OBJECTS,
  MIXED,
  words('NaN Infinity -Infinity').map(x),
].flat();

const vectors: CallVector[] = [];
for (const text of new Set(ALL)) vectors.push({ text, ...(await outcomeOf(text)) });
const file = path.join(import.meta.dirname, 'calls.json');
writeFileSync(file, `[\n${vectors.map((one) => JSON.stringify(one)).join(',\n')}\n]\n`);
