import { useState } from 'react';
import { ApiFailure, call, clientFailure, type CallInput } from '../lib/browser/client';
import { useCurrentUser } from './useCurrentUser';

/** What changes of the own account: each answers why the server refused, or null. */
export interface Profile {
  isWaiting: boolean;
  changeNames: (body: CallInput<'changeProfile'>['body']) => Promise<ApiFailure | null>;
  changePassword: (body: CallInput<'changePassword'>['body']) => Promise<ApiFailure | null>;
  changePicture: (picture: CallInput<'changePicture'>['body']) => Promise<ApiFailure | null>;
  removePicture: () => Promise<ApiFailure | null>;
  endSession: (sid: string) => Promise<ApiFailure | null>;
  endOtherSessions: () => Promise<ApiFailure | null>;
}

/** The calls behind the profile. The user is read anew after each, so that the whole page shows what it changed. */
export function useProfile(): Profile {
  const { refresh } = useCurrentUser();
  const [isWaiting, setIsWaiting] = useState(false);
  async function carryOut(act: () => Promise<unknown>): Promise<ApiFailure | null> {
    setIsWaiting(true);
    try {
      await act();
      await refresh();
      return null;
    } catch (problem) {
      return problem instanceof ApiFailure ? problem : clientFailure('unreadable_answer');
    } finally {
      setIsWaiting(false);
    }
  }
  return {
    isWaiting,
    changeNames: (body) => carryOut(() => call('changeProfile', { body })),
    changePassword: (body) => carryOut(() => call('changePassword', { body })),
    changePicture: (body) => carryOut(() => call('changePicture', { body })),
    removePicture: () => carryOut(() => call('removePicture', {})),
    endSession: (sid) => carryOut(() => call('endOwnSession', { params: { sid } })),
    endOtherSessions: () => carryOut(() => call('endOtherSessions', {})),
  };
}
