import type { EpochMs } from '../time/epochMs';

/** Returns a time as HL7 writes it (DTM), to the millisecond, in UTC and with the offset: "20260501100000.123+0000". */
export function formatDtm(at: EpochMs): string {
  return `${new Date(at).toISOString().replace(/[-:TZ]/g, '')}+0000`;
}
