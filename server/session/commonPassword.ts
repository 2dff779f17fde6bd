/** Rows of keyboards and orders that everybody knows; a password made of their parts is guessed first. */
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
/** Fewer letters than this beside a known name are no password of their own. */
const leastOwn = 6;

/**
 * Says whether a password is among the first that anybody would try: a common one with digits or signs around it, one
 * that repeats itself, one that follows the keyboard or the alphabet, or little more than a name that others know.
 * `common` holds common passwords in lower case, `names` what belongs to this account: the site's name, the user's
 * names, the e-mail address.
 */
export function isCommonPassword(password: string, common: ReadonlySet<string>, names: readonly string[]): boolean {
  const text = password.normalize('NFKC').toLowerCase();
  return isListed(text, common) || repeats(text, common) || isMadeOfRuns(text) || isMostlyNames(text, names);
}

/** The letters and digits alone. */
const bare = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, '');
/** Without the digits and signs that people put around a word. */
const core = (text: string): string => text.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '');

function isListed(text: string, common: ReadonlySet<string>): boolean {
  return [text, bare(text), core(text), bare(core(text))].some((form) => form.length > 3 && common.has(form));
}

/** The shortest part that the whole is made of, with whatever is left of it at the end. */
function repeats(text: string, common: ReadonlySet<string>): boolean {
  for (let length = 1; length <= text.length / 2; length += 1) {
    const part = text.slice(0, length);
    if (part.repeat(Math.ceil(text.length / length)).startsWith(text)) {
      return length <= leastOwn || text.length >= 3 * length || isListed(part, common);
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

function isMostlyNames(text: string, names: readonly string[]): boolean {
  const known = names
    .flatMap((name) =>
      name
        .normalize('NFKC')
        .toLowerCase()
        .split(/[^\p{L}\p{N}]+/u),
    )
    .filter((name) => name.length > 2)
    .sort((a, b) => b.length - a.length);
  const rest = known.reduce((left, name) => left.replaceAll(name, ' '), text);
  return rest !== text && rest.replace(/[^\p{L}]/gu, '').length < leastOwn;
}
