import { useEffect, useLayoutEffect, useRef } from 'react';
import { clientFailure } from '../lib/browser/client';
import { parseInstant } from '../lib/time/parseInstant';
import type { SparkKind } from '../lib/vitals/spark';
import type { ReadState } from './readState';
import { poll } from './poll';
import { useReadState, type Fresh } from './useReadState';

/** A line has a new minute once a minute. */
const sparksEveryMs = 60_000;

/** The spark lines of one patient, to be parsed by `readSpark`. A kind without values in this hour is absent. */
export type PatientSparks = Partial<Record<SparkKind, string>> & {
  /** When their first minute began, epoch milliseconds. */
  from: number;
};

export interface Sparks {
  /** The patients of the request, whether or not there is anything to show. */
  requested: ReadonlySet<number>;
  /** By the patient's id, so that no line can be shown under another patient's name. */
  byPatient: ReadonlyMap<number, PatientSparks>;
}

/**
 * Reads the last hour of the patients of a list, once a minute, and at once if the list shows a patient who was not in
 * the last request. All lists of a page share one response.
 */
export function useSparks(ids: readonly number[]): ReadState<Sparks> {
  const wanted = useRef(ids);
  useLayoutEffect(() => {
    wanted.current = ids;
  });
  const response = useReadState('sparks', () => readSparks(wanted.current), { everyMs: sparksEveryMs });
  const { data, refresh } = response;
  const isMissing = data !== undefined && ids.some((id) => !data.requested.has(id));
  useEffect(() => {
    if (isMissing) {
      void refresh();
    }
  }, [isMissing, data, refresh]);
  return response;
}

async function readSparks(ids: readonly number[]): Promise<Fresh<Sparks>> {
  const requested = new Set(ids);
  if (ids.length === 0) {
    return { data: { requested, byPatient: new Map() }, serverTime: null };
  }
  const { data, serverTime } = await poll('listSparks', { query: { ids: ids.join() } });
  const from = parseInstant(data.from);
  if (from === null) {
    throw clientFailure('unreadable_response');
  }
  const byPatient = new Map(data.items.map(({ id, ...texts }) => [id, { ...texts, from }]));
  return { data: { requested, byPatient }, serverTime };
}
