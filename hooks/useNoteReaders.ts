import type { CallResponse } from '../lib/browser/client';
import { poll } from './poll';
import type { ReadState } from './readState';
import { useReadState } from './useReadState';

/** Who may see a patient rarely changes. In milliseconds. */
const everyMs = 60_000;

/** Reads which other users may see a patient's notes, once the caller wants to know. */
export function useNoteReaders(
  patientId: number,
  isWanted: boolean,
): ReadState<CallResponse<'listNoteReaders'>['items']> {
  return useReadState(
    isWanted ? `listNoteReaders ${patientId}` : null,
    async () => {
      const { data, serverTime } = await poll('listNoteReaders', { params: { id: patientId } });
      return { data: data.items, serverTime };
    },
    { everyMs },
  );
}
