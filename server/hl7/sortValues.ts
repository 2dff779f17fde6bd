import { codeRow, type Code } from '../../lib/hl7/codes';
import type { Observation, OruResult } from '../../lib/hl7/readOru';
import { readValue } from '../../lib/hl7/readValue';
import type { EpochMs } from '../../lib/time/epochMs';
import { toInstant } from '../../lib/time/schema';
import { kinds, type VitalKind } from '../../lib/vitals/kinds';
import type { Quality } from '../../lib/vitals/schema';
import type { PatientRow } from '../db/rows';
import type { Refused } from '../ingest/record';
import { matchPatient } from './matchPatient';
import { sourceOf, type Source } from './sourceOf';

/** What a message brings from one source. */
export interface SourceValues {
  source: Source;
  /** In the form in which devices send them to the other door. */
  samples: { patientId: number; kind: VitalKind; value: number; takenAt: string; quality: Quality }[];
  refused: Refused[];
  withdrawn: { patientId: number; kind: number; takenAt: EpochMs }[];
}

export interface SortedValues {
  /** By `source.key`. */
  sources: Map<string, SourceValues>;
  /** One for each patient of the message whose values are all refused. */
  refused: Refused[];
  /** The codes that mean nothing here, once for each time they came. */
  unmapped: Code[];
}

/** A time further from ours is no clock that is a little wrong: it would be learnt, and old values be shown as new. */
const furthestMs = 24 * 3_600_000;

/**
 * Sorts what a message says of each patient by source. `find` looks for an MRN in the sender's site. A patient who does
 * not clearly match, and training, makes one row of quarantine and no sample; one bad value costs only itself.
 */
export function sortValues(
  results: readonly OruResult[],
  receivedAt: EpochMs,
  find: (mrn: string) => PatientRow | null,
): SortedValues {
  const sorted: SortedValues = { sources: new Map(), refused: [], unmapped: [] };
  for (const result of results) {
    const match = result.isTraining ? ({ code: 'training' } as const) : matchPatient(result.patient, find);
    if ('code' in match) {
      sorted.refused.push({ code: match.code, sample: evidenceOf(result) });
      continue;
    }
    for (const observation of result.observations) {
      sortValue(sorted, observation, { patient: match.patient, result, receivedAt });
    }
  }
  return sorted;
}

interface Context {
  patient: PatientRow;
  result: OruResult;
  receivedAt: EpochMs;
}

function sortValue(sorted: SortedValues, observation: Observation, { patient, result, receivedAt }: Context): void {
  const read = readValue(observation);
  if (read.outcome === 'unmapped') {
    sorted.unmapped.push(read.code);
    return;
  }
  if (read.outcome === 'containment') {
    return;
  }
  const source = sourceOf(observation, result.bed);
  const values = sorted.sources.get(source.key) ?? { source, samples: [], refused: [], withdrawn: [] };
  sorted.sources.set(source.key, values);
  const refuse = (code: Refused['code']): void => {
    values.refused.push({ code, sample: { mrn: patient.mrn, ...textOf(observation) } });
  };
  const { at } = observation.takenAt;
  if (at === null) {
    refuse('unparsable_time');
  } else if (read.outcome === 'withdraw') {
    values.withdrawn.push({ patientId: patient.id, kind: kinds[read.kind].code, takenAt: at });
  } else if (read.outcome === 'refused') {
    refuse(refusalCodes[read.reason]);
  } else if (Math.abs(receivedAt - at) > furthestMs) {
    refuse('clock_wrong');
  } else {
    const { value, quality } =
      read.outcome === 'value' ? read : { value: noSignalValue(read.kind), quality: 'invalid' as const };
    values.samples.push({ patientId: patient.id, kind: read.kind, value, takenAt: toInstant(at), quality });
    // Withdrawals are stored after the values, but this value was sent after its withdrawal.
    values.withdrawn = values.withdrawn.filter(
      (key) => key.patientId !== patient.id || key.kind !== kinds[read.kind].code || key.takenAt !== at,
    );
  }
}

const refusalCodes = {
  training: 'training',
  status: 'malformed_sample',
  unit: 'unknown_unit',
  impossible_value: 'impossible_value',
} as const;

/** A sample needs some value. An invalid one is shown and evaluated nowhere. */
function noSignalValue(kind: VitalKind): number {
  return kinds[kind].plausible.min;
}

/** Returns what quarantine keeps of a value, under the names that the other door's samples have. */
function textOf({ code, subId, value, unit, status, flags, takenAt }: Observation) {
  return {
    kind: codeRow(code)?.kind ?? null,
    value,
    takenAt: takenAt.text,
    code: [code.id, code.text, code.system].join('^'),
    subId,
    unit: unit.id,
    status,
    flags,
  };
}

/** A row of quarantine holds as many values of a patient: it is no place to read them, and must stay whole. */
const valuesKept = 4;

/** Returns what quarantine keeps of a patient's part of a message. */
function evidenceOf({ patient, bed, observations }: OruResult) {
  const [first] = patient.identifiers;
  const known = observations.filter(({ code }) => codeRow(code) !== null);
  return {
    ...(first === undefined ? {} : { mrn: first.id.slice(0, 64) }),
    bed: bed?.slice(0, 100) ?? null,
    count: known.length,
    values: known.slice(0, valuesKept).map(textOf),
  };
}
