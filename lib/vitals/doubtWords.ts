import type { EpochMs } from '../time/epochMs';
import type { Freshness } from './freshness';
import type { LatestValue } from './schema';

/**
 * Returns what makes a value that is shown doubtful, the most serious first; none if nothing does. `serverLost`: since
 * when the server has not answered, null while it does.
 */
export function doubtWords(
  { quality, notStored }: Pick<LatestValue, 'quality' | 'notStored'>,
  freshness: Freshness,
  serverLost: EpochMs | null,
): string[] {
  return [
    ...(serverLost === null ? [] : ['not live']),
    ...(freshness === 'stale' ? ['stale'] : []),
    ...(quality === 'questionable' ? ['uncertain'] : []),
    ...(notStored === true ? ['not stored'] : []),
    ...(freshness === 'ageing' ? ['ageing'] : []),
  ];
}
