const marks = /\p{Diacritic}/gu;

/** Letters as people type them in a search: no accents, no capitals. */
export function fold(text: string): string {
  return text.normalize('NFD').replace(marks, '').toLocaleLowerCase('en');
}

/** Whether each word of a search text begins a word of what is searched; an empty text finds everything. */
export function matchesText(searched: string, text: string): boolean {
  const words = ` ${fold(searched)}`.replace(/[\s,;'’-]+/g, ' ');
  return fold(text)
    .split(/[\s,;'’-]+/)
    .every((word) => words.includes(` ${word}`));
}
