import type { EpochMs } from '../time/epochMs';
import { nextEpisode, type Active, type Episode } from './episode';

/**
 * Returns the episode of something that people do, such as a renewal, at `now`: the same object if nothing changed.
 * `active.since` says when it was done, so that the same thing done again while it lasts counts once more.
 */
export function nextOccasion(episode: Episode | null, active: Active | null, now: EpochMs): Episode | null {
  const isAgain = episode !== null && episode.endedAt === null && active !== null && active.since > episode.since;
  const before = isAgain ? nextEpisode(episode, [], now, null) : episode;
  return nextEpisode(before, active === null ? [] : [active], now, null);
}
