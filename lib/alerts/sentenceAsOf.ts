/**
 * Returns a sentence or headline of `sentence.ts` for a server that does not respond: each "now" at the end of a part
 * becomes the clock time of its last response (screens.md section 6). Null: it responds.
 */
export function sentenceAsOf(text: string, lostAt: string | null): string {
  return lostAt === null ? text : text.replace(/ now(?=, |$)/g, ` at ${lostAt}`);
}
