import { remember } from '../remember';

/** Letters as ICAO Doc 9303 part 3 (6 A) writes them, of two also the bare one; last, what other scripts leave out. */
const letters = Object.entries<readonly string[]>({
  ...{ 'a\u0308': ['a', 'ae'], 'o\u0308': ['o', 'oe'], 'u\u0308': ['u', 'ue'], 'a\u030a': ['a', 'aa'], ø: ['o', 'oe'] },
  ...{ æ: ['ae'], œ: ['oe'], þ: ['th'], ß: ['ss'] },
  ...{ đ: ['d'], ð: ['d'], ħ: ['h'], ı: ['i'], ł: ['l'], ŋ: ['n'], ŧ: ['t'] },
  ...{ ς: ['σ'], 'е\u0308': ['е'], 'ا\u0653': ['ا'], 'ا\u0654': ['ا'], 'ا\u0655': ['ا'] },
});

/** In other scripts two names may differ by a mark, but for the vowel points of Hebrew and Arabic. */
const accents = /([\p{Script=Latin}\p{Script=Greek}])\p{M}+/gu;
const vowelPoints = /[\u0591-\u05bd\u05bf-\u05c7\u064b-\u0652]/g;

/** Blanks, commas, periods, middle dots, hyphens, what is invisible; apostrophes of any kind, okina, tatweel. */
const separators =
  /[\s,;.·・\p{Pd}\u2212\p{Cf}'`\u2018\u2019\u201b\u2032\u02b9\u02bb-\u02bf\u02c8\u02ca\u02cb\ua78c\u05f3\u0640]+/u;

const suffixes: Readonly<Record<string, string>> = {
  ...{ jr: 'jr', jnr: 'jr', junior: 'jr', sr: 'sr', snr: 'sr', senior: 'sr' },
  ...{ ii: 'ii', '2nd': 'ii', iii: 'iii', '3rd': 'iii', iv: 'iv', '4th': 'iv' },
};

/** A key has a letter, and none of what senders write for a letter that their character set lacks: it may be any. */
const keyForm = /^[^?¿\ufffd]*\p{L}[^?¿\ufffd]*$/u;

/** A sender may have cut a name of 16 letters or more: what manuals name is longer, a shorter beginning too common. */
const cutForm = /^[a-z]{16}/;

/** So many words may be one in the other spelling: "van de der Berg". */
const mostJoined = 4;

/** Returns the value of a decimal digit of any script: digits stand in rows of ten. */
export function digitOf(digit: string): string {
  let before = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint((digit.codePointAt(0) ?? 0) - before - 1))) {
    before += 1;
  }
  return String(before % 10);
}

/** Returns a number without its leading zeros; any other text as it is. */
export const withoutZeros = (number: string): string => number.replace(/^0+(?=[1-9]\d*$)/, '');

/** Returns a text and, if it is a number with leading zeros, the number without them. */
export const withAndWithoutZeros = (text: string): string[] => [...new Set([text, withoutZeros(text)])];

function wordsOf(text: string): string[] {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(vowelPoints, '')
    .replace(/ \p{M}+/gu, ' ') // an accent without a letter, typed as an apostrophe
    .replace(/(?![0-9])\p{Nd}/gu, digitOf)
    .split(separators)
    .filter((word) => word !== '');
}

/** Returns the spellings of folded words, at most 32: a letter is written in one way throughout. */
function spellingsOf(words: string): string[] {
  if (/^[ -~]*$/.test(words)) {
    return [words];
  }
  return letters
    .filter(([letter]) => words.includes(letter))
    .reduce((all, [letter, as]) => all.flatMap((one) => as.map((text) => one.replaceAll(letter, text))), [words])
    .map((one) => one.replace(accents, '$1'));
}

/** Returns the keys of a name. Each message of a patient asks for the same ones; few sites have so many patients. */
const keysOf = remember((name: string) => {
  const words = wordsOf(name);
  const end = words.findLastIndex((word, index) => index === 0 || !Object.hasOwn(suffixes, word)) + 1;
  return {
    keys: spellingsOf(words.slice(0, end).join('')).filter((key) => keyForm.test(key)),
    suffix: [...new Set(words.slice(end).map((word) => suffixes[word]))].sort().join(' '),
  };
}, 4_000);

/**
 * Returns the keys of a name and its suffix, '' without. Compatible characters (NFKD), capitals, accents, apostrophes,
 * hyphens, periods and blanks do not count. A name without letters, with a lost one, or of over 400 characters has no
 * key. An ASCII digraph is never shortened, Rae is not Ra, and nothing is transcribed from another script.
 */
export function nameKeys(name: string): { keys: readonly string[]; suffix: string } {
  return name.length > 400 ? { keys: [], suffix: '' } : keysOf(name);
}

/** Returns whether a text is a suffix of names, such as Jr or III. */
export const isSuffix = (text: string): boolean => Object.hasOwn(suffixes, wordsOf(text).join(''));

/**
 * Returns whether a name that was sent may be that of a person: they share a key, or the one sent is long and the
 * beginning of the other; and they have not two suffixes.
 */
export function namesAgree(sent: string, name: string): boolean {
  const [one, other] = [nameKeys(sent), nameKeys(name)];
  return (
    (one.suffix === other.suffix || one.suffix === '' || other.suffix === '') &&
    one.keys.some((key) => other.keys.some((full) => full === key || (cutForm.test(key) && full.startsWith(key))))
  );
}

/** Returns whether two names may begin with the same letter. */
export function initialsAgree(sent: string, name: string): boolean {
  const initialsOf = (text: string) => nameKeys(text).keys.map(([initial]) => initial);
  const known = new Set(initialsOf(name));
  return initialsOf(sent).some((initial) => known.has(initial));
}

/** Scripts of names (Unicode's). Japanese has three, and a name in one of them says nothing of the others. */
const scripts = (
  'Latin Greek Cyrillic Armenian Georgian Hebrew Arabic Syriac Thaana Devanagari Bengali Gurmukhi Gujarati Oriya ' +
  'Tamil Telugu Kannada Malayalam Sinhala Thai Lao Tibetan Myanmar Khmer Ethiopic Mongolian Han Hiragana Katakana ' +
  'Hangul'
)
  .split(' ')
  .map((name) => new RegExp(`\\p{Script=${name}}`, 'u'));

/** Returns whether two names have letters, and none of one script: whether they agree, only a person can say. */
export function areInOtherScripts(one: string, other: string): boolean {
  const scriptsOf = (name: string) => scripts.filter((script) => script.test(name.normalize('NFKC')));
  const [own, others] = [scriptsOf(one), scriptsOf(other)];
  return own.length > 0 && others.length > 0 && !own.some((script) => others.includes(script));
}

/**
 * Returns what finds a text by a search: each word typed, or several joined, begins a word of the text or several
 * joined, in any spelling; leading zeros of its last number do not count. Nothing typed finds everything.
 */
export function textMatcher(typed: string): (text: string) => boolean {
  const words = wordsOf(typed);
  const groups = words.map((_, last) =>
    Array.from({ length: mostJoined }, (_one, more) =>
      spellingsOf(words.slice(Math.max(0, last - more), last + 1).join('')).flatMap(withAndWithoutZeros),
    ),
  );
  return (text) => {
    const starts = spellingsOf(wordsOf(text).join(' '))
      .map((spelling) => spelling.split(' '))
      .flatMap((all) => all.flatMap((_, index) => withAndWithoutZeros(all.slice(index).join(''))));
    const begins = (one: string): boolean => one !== '' && starts.some((start) => start.startsWith(one));
    // Whether the first n words typed are there.
    const isThere = [true];
    for (const group of groups) {
      isThere.push(group.some((spellings, more) => isThere.at(-1 - more) === true && spellings.some(begins)));
    }
    return words.length === 0 ? typed.trim() === '' : isThere.at(-1) === true;
  };
}
