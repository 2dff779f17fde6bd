/** Returns the first letters of the first and the last word of a name, "ND" of "Noor Demo"; "?" without any. */
export function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter((word) => word !== '');
  const ends = words.length < 2 ? words : [words[0] ?? '', words.at(-1) ?? ''];
  // By characters, not by their halves.
  const letters = ends.map((word) => [...word][0]?.toLocaleUpperCase('en') ?? '').join('');
  return letters === '' ? '?' : letters;
}
