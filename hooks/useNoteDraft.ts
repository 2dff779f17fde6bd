import type { Note } from '../lib/notes/schema';
import { createDraftKeeper, type DraftKeeper, type DraftState } from './draftKeeper';
import { useKept } from './kept';
import { keptDrafts } from './keptTexts';

/**
 * Returns the draft of a user about a patient and stores it while it is shown. The caller keys the component by user
 * and patient. In the browser only.
 */
export function useNoteDraft(userId: number, patientId: number): { draft: DraftState; keeper: DraftKeeper } {
  return useKept(() => keeperOf(userId, patientId));
}

/**
 * Goes on with a draft of a user that the server has just made. Resolves with false if what is typed about this patient
 * could not be stored: that stays.
 */
export async function openDraft(userId: number, draft: Note): Promise<boolean> {
  const keeper = keeperOf(userId, draft.patientId);
  // It may be open already, with letters that the server does not have yet.
  if (keeper.read().stored?.id !== draft.id) {
    await keeper.open(draft);
  }
  return keeper.read().stored?.id === draft.id;
}

function keeperOf(userId: number, patientId: number): DraftKeeper {
  return keptDrafts.of(userId, patientId, () => createDraftKeeper(userId, patientId));
}
