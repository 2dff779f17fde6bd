import { call } from '../lib/browser/client';
import type { ChatDirectory, OpenChannelBody } from '../lib/chat/schema';
import type { Answer } from './answer';
import { useRead } from './useRead';

/** Who is there, and who belongs where, changes seldom. */
const everyMs = 60_000;

/** Whom the user can write to, with the titles of the user's own care teams and of those of `patientIds`. */
export function useChatDirectory(patientIds: readonly number[]): Answer<ChatDirectory> {
  const patients = patientIds.length === 0 ? undefined : patientIds.slice(0, 100).join(',');
  return useRead('getChatDirectory', { query: { patients } }, { keepPreviousData: true, everyMs });
}

/**
 * Asks the server to make sure that there is a channel and that the user is in it; returns its id. Throws `ApiFailure`.
 */
export async function openChannel(body: OpenChannelBody): Promise<string> {
  return (await call('openChannel', { body })).id;
}
