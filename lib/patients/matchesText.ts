const marks = /[\p{Diacritic}\u200C\u200D]/gu;

/** Letters as people type them in a search: no accents, no capitals, nothing that only joins letters. */
export function fold(text: string): string {
  return text.normalize('NFKD').replace(marks, '').toLocaleLowerCase('en');
}

/** Returns whether each word of a search text begins a word of the searched text; an empty text finds everything. */
export function matchesText(searched: string, text: string): boolean {
  const words = ` ${fold(searched)}`.replace(/[\s,;'’-]+/g, ' ');
  return fold(text)
    .split(/[\s,;'’-]+/)
    .every((word) => words.includes(` ${word}`));
}
