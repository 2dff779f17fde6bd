import { call } from '../lib/browser/client';
import type { InvitationResponse } from '../lib/session/schema';
import { useOnce, type OnceState } from './useOnce';

/** Reads the person and the site of an invitation. `invitation` is the secret of its link. */
export function useInvitation(invitation: string): OnceState<InvitationResponse> {
  return useOnce(`invitation ${invitation}`, () => call('readInvitation', { body: { invitation } }));
}
