import { call } from '../lib/browser/client';
import type { ChatDirectory, OpenChannelBody } from '../lib/chat/schema';
import type { ReadState } from './readState';
import { useRead } from './useRead';

/** The directory changes rarely. In milliseconds. */
const everyMs = 60_000;

/** Reads who the user can write to, with the titles of their own care teams and of those of `patientIds`. */
export function useChatDirectory(patientIds: readonly number[]): ReadState<ChatDirectory> {
  const patients = patientIds.length === 0 ? undefined : patientIds.slice(0, 100).join(',');
  return useRead('getChatDirectory', { query: { patients } }, { keepPreviousData: true, everyMs });
}

/**
 * Makes the server create a channel if it does not exist and add the user to it. Returns its id. Throws `ApiFailure`.
 */
export async function openChannel(body: OpenChannelBody): Promise<string> {
  return (await call('openChannel', { body })).id;
}
