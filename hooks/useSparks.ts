import { useEffect, useLayoutEffect, useRef } from 'react';
import { clientFailure } from '../lib/browser/client';
import { parseInstant } from '../lib/time/parseInstant';
import type { SparkKind } from '../lib/vitals/spark';
import type { Answer } from './answer';
import { poll } from './poll';
import { useAnswer, type Fresh } from './useAnswer';

/** A line has one more minute to show once a minute. */
const sparksEveryMs = 60_000;

/** The spark lines of one patient, as they came (`readSpark`); a kind that had nothing in this hour is not there. */
export type PatientSparks = Partial<Record<SparkKind, string>> & {
  /** When their first minute began, epoch milliseconds. */
  from: number;
};

export interface Sparks {
  /** Everybody who was asked for, whether or not there is anything to show. */
  asked: ReadonlySet<number>;
  /** By the patient's id, so that nobody's line can stand under another's name. */
  byPatient: ReadonlyMap<number, PatientSparks>;
}

/**
 * The last hour of the patients of a list. One answer for whatever list is on the screen: it is asked for again once a
 * minute, and at once when somebody stands there who was not asked for.
 */
export function useSparks(ids: readonly number[]): Answer<Sparks> {
  const wanted = useRef(ids);
  useLayoutEffect(() => {
    wanted.current = ids;
  });
  const answer = useAnswer('sparks', () => readSparks(wanted.current), { everyMs: sparksEveryMs });
  const { data, refresh } = answer;
  const isMissing = data !== undefined && ids.some((id) => !data.asked.has(id));
  useEffect(() => {
    if (isMissing) {
      void refresh();
    }
  }, [isMissing, data, refresh]);
  return answer;
}

async function readSparks(ids: readonly number[]): Promise<Fresh<Sparks>> {
  const asked = new Set(ids);
  if (ids.length === 0) {
    return { value: { asked, byPatient: new Map() }, asOf: null };
  }
  const { data, serverTime } = await poll('listSparks', { query: { ids: ids.join() } });
  const from = parseInstant(data.from);
  if (from === null) {
    throw clientFailure('unreadable_response');
  }
  return {
    value: { asked, byPatient: new Map(data.items.map(({ id, ...texts }) => [id, { ...texts, from }])) },
    asOf: serverTime,
  };
}
