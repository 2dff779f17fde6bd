import { parseInstant } from '../../lib/time/parseInstant';
import type { EpochMs } from '../../lib/time/epochMs';

/** No instant is longer. */
const time = /"(sentAt|takenAt)"\s*:\s*"([^"\\]{1,40})"/g;

/**
 * Returns the times in the text of a device's call, which costs a tenth of parsing it; null for one that is no instant.
 * If the text is not a call, the times mean nothing.
 */
export function peekTimes(text: string): { sentAt: EpochMs | null; takenAt: (EpochMs | null)[] } {
  let sentAt: EpochMs | null = null;
  const takenAt: (EpochMs | null)[] = [];
  let lastText: string | undefined;
  let lastTime: EpochMs | null = null;
  for (const [, key, instant = ''] of text.matchAll(time)) {
    // Neighbours mostly share one text, which is parsed once.
    if (instant !== lastText) {
      lastText = instant;
      lastTime = parseInstant(instant);
    }
    if (key === 'sentAt') {
      sentAt = lastTime;
    } else {
      takenAt.push(lastTime);
    }
  }
  return { sentAt, takenAt };
}
