import type { Note } from '../lib/notes/schema';
import { secondsAgo } from './inventedWard';

/** A nursing note of another user, signed a minute ago and read, or what `change` makes of it. */
export function inventedNote(id: number, change: Partial<Note> = {}): Note {
  return {
    id,
    patientId: 4,
    type: 'nursing',
    state: 'signed',
    text: `Note ${id}`,
    author: { id: 9, name: 'Noor Demo', type: 'nurse' },
    eventTime: secondsAgo(60),
    writtenAt: secondsAgo(60),
    signedAt: secondsAgo(60),
    isLateEntry: false,
    alertIds: [],
    mentions: [],
    version: 2,
    isUnread: false,
    movedTo: null,
    isMoved: false,
    entries: [],
    ...change,
  };
}
