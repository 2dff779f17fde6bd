/** Keyboard rows and well-known sequences. A password made of their parts is guessed early. */
const orders = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890123456789',
  'qwertyuiopasdfghjklzxcvbnm',
  'qwertzuiop',
  'azertyuiop',
  '1q2w3e4r5t6y7u8i9o0p',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm',
];
const runs = orders.flatMap((order) => [order, [...order].reverse().join('')]);
const shortestRun = 3;
/** The fewest letters that a password must have besides a known name or a repeated part. */
const minOwnLetters = 6;
/** The fewest characters that a password must have besides blanks. */
const minSeen = 8;

/**
 * Returns whether an attacker would try a password early: a common one with digits or signs around it, one that repeats
 * itself or frames something short with one word, one that follows the keyboard or the alphabet, or little more than a
 * known name or blanks. `common` holds common passwords in lower case. `names` are known names of the account: the
 * site's, the user's, the e-mail address.
 */
export function isCommonPassword(password: string, common: ReadonlySet<string>, names: readonly string[]): boolean {
  const text = password.normalize('NFKC').toLowerCase();
  return (
    isListed(text, common) ||
    repeats(text, common) ||
    isMadeOfRuns(text) ||
    isMostlyNames(text, names) ||
    isMostlyBlank(text)
  );
}

/** Returns whether a text is little more than blanks and characters that no one sees. */
function isMostlyBlank(text: string): boolean {
  return text.replace(/[\p{Z}\p{C}]/gu, '').length < minSeen;
}

/** Removes everything but letters and digits. */
const bare = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, '');
/** Removes the digits and signs that people put around a word. */
const core = (text: string): string => text.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '');

function isListed(text: string, common: ReadonlySet<string>): boolean {
  return [text, bare(text), core(text), bare(core(text))].some((form) => form.length > 3 && common.has(form));
}

/** Returns whether the text repeats a part that is too short or too common. The last repetition may be cut off. */
function repeats(text: string, common: ReadonlySet<string>): boolean {
  for (let length = 1; length <= text.length / 2; length += 1) {
    const part = text.slice(0, length);
    if (part.repeat(Math.ceil(text.length / length)).startsWith(text)) {
      return length <= minOwnLetters || text.length >= 3 * length || isListed(part, common);
    }
  }
  return false;
}

function isMadeOfRuns(text: string): boolean {
  const letters = bare(text);
  let at = 0;
  while (at < letters.length) {
    let length = 0;
    while (at + length < letters.length && runs.some((run) => run.includes(letters.slice(at, at + length + 1)))) {
      length += 1;
    }
    if (length < shortestRun) {
      return false;
    }
    at += length;
  }
  return true;
}

/** Returns the words that a text has twice: "sommer2026!sommer" is not stronger than "sommer2026". */
function wordsHadTwice(text: string): string[] {
  return [/[^\p{L}\p{N}]+/u, /\P{L}+/u].flatMap((between) =>
    text.split(between).filter((word, at, words) => words.indexOf(word) !== at),
  );
}

function isMostlyNames(text: string, names: readonly string[]): boolean {
  const known = [...names, ...wordsHadTwice(text)]
    .map((name) => name.normalize('NFKC').toLowerCase())
    // Its words, and the whole of it: "St Mary’s" is also "stmarys".
    .flatMap((name) => [...name.split(/[^\p{L}\p{N}]+/u), bare(name)])
    .filter((name) => name.length > 2)
    .sort((a, b) => b.length - a.length);
  return [text, bare(text)].some((form) => {
    const rest = known.reduce((left, name) => left.replaceAll(name, ' '), form);
    return rest !== form && rest.replace(/[^\p{L}]/gu, '').length < minOwnLetters;
  });
}
