import { nextEpisode, type Episode, type NamedRule } from '../alerts/episode';
import type { EpochMs } from '../time/epochMs';

/** A patient at home asks for a call. A person alone ends it, as a red flag. */
export const callRequestedRule = { rule: 'symptoms.callRequested', priority: 'high' } as const;
/** Wrong years of birth have locked a link: its patient cannot check in with it. A new link ends it as well. */
export const linkLockedRule = { rule: 'checkIn.locked', priority: 'medium' } as const;

/** More red check-ins came by a link than a patient sends. Its revocation ends it as well. */
export const linkMisusedRule = { rule: 'checkIn.misused', priority: 'medium' } as const;

/** When something of one kind happened last, epoch milliseconds; null: never, or there is nothing any more. */
interface News {
  /** The last that is a raise. */
  raisedAt: EpochMs | null;
  /** The last of all: those after `raisedAt` join its alert while that lasts, and are a raise otherwise. */
  newestAt: EpochMs | null;
}

/**
 * Takes the episode so far, the news and up to when a person has answered, and returns the episode at `now`: the same
 * object if nothing changed. What is raised while it lasts is raised again. Epoch milliseconds.
 */
export function nextNews(
  episode: Episode | null,
  { rule, priority }: NamedRule,
  { raisedAt, newestAt }: News,
  answeredTo: EpochMs,
  now: EpochMs,
): Episode | null {
  const isLasting = episode !== null && episode.endedAt === null;
  if (newestAt === null) {
    return nextEpisode(episode, [], now, null);
  }
  if (newestAt <= answeredTo) {
    return episode;
  }
  if (isLasting) {
    const isRaise = raisedAt !== null && raisedAt > episode.since;
    return newestAt > episode.since
      ? { ...episode, count: episode.count + (isRaise ? 1 : 0), since: newestAt }
      : episode;
  }
  // The same again, after what ended it was undone, is not new.
  if (episode !== null && newestAt <= episode.since) {
    return episode;
  }
  const raised = nextEpisode(episode, [{ rule, priority, since: newestAt }], now, null);
  // `since` says up to what it is answered once a person ends it.
  return raised === null ? null : { ...raised, since: newestAt };
}
