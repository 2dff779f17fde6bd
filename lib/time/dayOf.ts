import { offsetAt } from './offsetAt';

/** The calendar day "2026-05-01" of an instant (epoch milliseconds) in a zone. */
export function dayOf(epochMs: number, timeZone: string): string {
  return new Date(epochMs + offsetAt(epochMs, timeZone)).toISOString().slice(0, 10);
}
