const marks = /\p{Diacritic}/gu;

/** Letters as people type them in a search: no accents, no capitals. */
export function fold(text: string): string {
  return text.normalize('NFD').replace(marks, '').toLocaleLowerCase('en');
}

/** Returns whether each word of a search text begins a word of the searched text; an empty text finds everything. */
export function matchesText(searched: string, text: string): boolean {
  const words = ` ${fold(searched)}`.replace(/[\s,;'’-]+/g, ' ');
  return fold(text)
    .split(/[\s,;'’-]+/)
    .every((word) => words.includes(` ${word}`));
}
