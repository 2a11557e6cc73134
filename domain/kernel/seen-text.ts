/** The part of a text that is examined closely; the rest counts as it is. */
const SEEN_CHARACTERS = 1_000;

/** Letters and marks with the one that each looks like. Nobody tells them apart, so case and accents count. */
const TWINS: ReadonlyMap<string, string> = new Map([
  // Cyrillic.
  ...pairs('АаВЕеКМНОоРрСсТХхУуЅѕЈјіһԁԛԝԚԜҮүѴѵԌӠ', 'AaBEeKMH0oPpCcTXxYySsJjihdqwQWYyVvG3'),
  ...pairs('ІӀӏЗкҺ', 'lll3kh'),
  // Greek.
  ...pairs('ΑΒΕΖΗΚΜΝΟΡΤΥΧϹͿ', 'ABEZHKMN0PTYXCJ'),
  ...pairs('οναιυρκχωϲϳγτσΙ', 'ovaiupkxwcjytol'),
  // Cherokee.
  ...pairs('ᎪᏴᏼᏟᎠᎬᏀᎻᎫᏦᏞᎷᏢᏒᏚᎢᏙᎳᏃᎥᎩᎽᏂᏏᏧᏻᏳ', 'ABBCDEGHJKLMPRSTVWZiyYhbdGG'),
  // Armenian, Coptic and Lisu.
  ...pairs('ՕօոսհՏզցյԼՍ', '0onuhSqgjLU'),
  ...pairs('ⲀⲂⲈⲎⲒⲔⲘⲚⲞⲢⲤⲦⲬⲟⲣⲥ', 'ABEHlKMN0PCTXopc'),
  ...pairs('ꓐꓑꓓꓔꓖꓗꓙꓚꓜꓝꓟꓠꓡꓢꓣꓦꓧꓪꓫꓬꓮꓰꓲꓳꓴ', 'BPDTGKJCZFMNLSRVHWXYAEl0U'),
  // Phonetic letters, and small capitals that look like small letters.
  ...pairs('ıɩɑɡɪᴄᴏꜱᴠᴡᴢᴜꞮƖǀ', 'iiagicosvwzulll'),
  ...pairs('I|1∣O', 'llll0'),
  ...pairs('‐‑‒–—―−⁃﹘─ー', '-----------'),
  ...pairs('’‘ʼ‛′`´ʹꞌ＇', "''''''''''"),
  ...pairs('“”„‟″ʺ', '""""""'),
  ...pairs('∕⁄╱⧸', '////'),
  ...pairs('∶ː꞉׃', '::::'),
  ...pairs('·•∙⋅・', '·····'),
  ...pairs('‚٫', ',,'),
  ...pairs('∗⁎∼˜', '**~~'),
]);

function pairs(others: string, plain: string): readonly (readonly [string, string])[] {
  const letters = Array.from(plain);
  return Array.from(others, (other, index) => [other, letters[index] ?? other] as const);
}

/** Letters beside each other that look like one. */
const JOINED = [
  ['rn', 'm'],
  ['cl', 'd'],
  ['vv', 'w'],
  ['VV', 'W'],
] as const;

function untwinned(text: string): string {
  return Array.from(text, (letter) => TWINS.get(letter) ?? letter).join('');
}

/** A text as the eye takes it: texts that people cannot tell apart give the same one. */
export function asSeen(whole: string): string {
  const text = whole.slice(0, SEEN_CHARACTERS);
  // Raised and circled digits do not look like plain ones.
  const composed = untwinned(text).replaceAll(/\P{No}+/gu, (part) => part.normalize('NFKC'));
  const seen = composed.replaceAll(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '');
  const plain = untwinned(seen);
  const joined = JOINED.reduce((all, [pair, one]) => all.replaceAll(pair, one), plain);
  const runs = joined.replaceAll(/-+/gu, '-');
  const spaced = runs.replaceAll(/[\p{Cc}\p{Z}\s\u2800]+/gu, ' ').trim();
  return spaced + whole.slice(SEEN_CHARACTERS);
}
