import { useEffect, useState, useSyncExternalStore } from 'react';
import { createHandoffKeeper, type HandoffDraft, type HandoffKeeper } from './handoffKeeper';
import { keptHandoff } from './keptTexts';

/**
 * Returns the handoff that a user writes about a patient and stores it while it is shown. The caller keys the component
 * by user and patient. In the browser only.
 */
export function useHandoffDraft(
  userId: number,
  patientId: number,
): { draft: HandoffDraft | null; keeper: HandoffKeeper } {
  const [keeper] = useState(() => keptHandoff(userId, patientId, () => createHandoffKeeper(userId, patientId)));
  useEffect(() => keeper.start(), [keeper]);
  return { draft: useSyncExternalStore(keeper.subscribe, keeper.read), keeper };
}
