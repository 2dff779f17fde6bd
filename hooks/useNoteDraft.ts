import { useEffect, useState, useSyncExternalStore } from 'react';
import { createDraftKeeper, type DraftKeeper, type DraftState } from './draftKeeper';
import { keptDraft } from './keptTexts';

/**
 * Returns the draft of a user about a patient and stores it while it is shown. The caller keys the component by user
 * and patient. In the browser only.
 */
export function useNoteDraft(userId: number, patientId: number): { draft: DraftState; keeper: DraftKeeper } {
  const [keeper] = useState(() => keptDraft(userId, patientId, () => createDraftKeeper(userId, patientId)));
  useEffect(() => keeper.start(), [keeper]);
  return { draft: useSyncExternalStore(keeper.subscribe, keeper.read), keeper };
}
