import type { SymptomStripResponse } from '../lib/symptoms/stripSchema';
import { secondsAgo } from './inventedWard';

/** The symptoms of patient 1 in the last hour: none was asked, or what `change` makes of it. */
export function inventedStrip(change: Partial<SymptomStripResponse> = {}): SymptomStripResponse {
  return {
    patientId: 1,
    from: secondsAgo(3_600),
    to: secondsAgo(0),
    isDaily: false,
    columns: [],
    rows: [],
    reported: [],
    truncated: false,
    ...change,
  };
}
