import type { Note } from './schema';

/** Returns what a note says now: its last amendment, else the text that was signed; null: it is not shown here. */
export function presentText({ text, entries }: Pick<Note, 'text' | 'entries'>): string | null {
  return text === null ? null : (entries.findLast(({ kind }) => kind === 'amendment')?.text ?? text);
}
