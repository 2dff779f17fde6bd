import { kinds, vitalKinds, type VitalKind } from '../vitals/kinds';

/** A third of a coded value. Empty texts if it is not said. */
interface Triplet {
  id: string;
  text: string;
  system: string;
}

/** A coded value (CE, CWE): its first triplet, and the second if there is one. */
export interface Code extends Triplet {
  alternate?: Triplet;
}

/** What a code means here. */
export interface CodeRow {
  kind: VitalKind;
  /** Whether a value without a unit, or with the unit "no dimension", is in the unit of the kind. */
  isUnitless: boolean;
}

interface KnownCode extends CodeRow {
  system: 'MDC' | 'MDIL' | 'EHC';
  id: string;
  /** What senders of this system call it: the reference id of an MDC number. */
  text: string;
  /** All names of the number, in capitals. */
  names: readonly string[];
}

const row = (
  system: KnownCode['system'],
  id: string,
  text: string,
  kind: VitalKind,
  { isUnitless = false, synonyms = [] }: { isUnitless?: boolean; synonyms?: readonly string[] } = {},
): KnownCode => {
  const names = [text, ...synonyms].map((name) => name.toUpperCase());
  return { system, id, text, kind, isUnitless, names };
};

/**
 * Codes of ISO/IEEE 11073-10101 (MDC; clinical.md section 7), of Philips' information centre (MDIL: the low 16 bits of
 * the MDC code, or Philips' own) and of the one other vendor whose public samples we have (EHC). Invasive pressures are
 * another quantity than the cuff's and are not here. Neither is "SPO2^...^L": L says that each sender has its own
 * codes, so a person has to map it.
 *
 * Numbers and reference ids: HL7 Denmark's value set IEEEBasicObservation (build.fhir.org/ig/hl7dk/dk-core), and for
 * 150301, 150302, 150448 and 150488 public messages of Mindray and headers of 10101. The one synonym: HL7's uv-pocd
 * guide has 147842^MDC_ECG_CARD_BEAT_RATE in its example, as Philips' Data Export manual (NOM_ECG_CARD_BEAT_RATE).
 */
export const knownCodes: readonly KnownCode[] = [
  row('MDC', '150456', 'MDC_PULS_OXIM_SAT_O2', 'spo2'),
  row('MDC', '149530', 'MDC_PULS_OXIM_PULS_RATE', 'pulseRate'),
  row('MDC', '147842', 'MDC_ECG_HEART_RATE', 'heartRate', { synonyms: ['MDC_ECG_CARD_BEAT_RATE'] }),
  row('MDC', '150448', 'MDC_PULS_OXIM_PERF_REL', 'perfusionIndex'),
  row('MDC', '150488', 'MDC_BLD_PERF_INDEX', 'perfusionIndex'),
  row('MDC', '151562', 'MDC_RESP_RATE', 'respiratoryRate'),
  // Releases until November 2026 asked senders for this number under the name of the next one.
  row('MDC', '151570', 'MDC_AWAY_RESP_RATE', 'respiratoryRate', { synonyms: ['MDC_TTHOR_RESP_RATE'] }),
  row('MDC', '151578', 'MDC_TTHOR_RESP_RATE', 'respiratoryRate'),
  row('MDC', '150364', 'MDC_TEMP_BODY', 'temperature'),
  row('MDC', '150301', 'MDC_PRESS_CUFF_SYS', 'systolic'),
  row('MDC', '150302', 'MDC_PRESS_CUFF_DIA', 'diastolic'),
  row('MDC', '150021', 'MDC_PRESS_BLD_NONINV_SYS', 'systolic'),
  row('MDC', '150022', 'MDC_PRESS_BLD_NONINV_DIA', 'diastolic'),
  row('MDC', '188736', 'MDC_MASS_BODY_ACTUAL', 'weight'),
  row('MDIL', '0002-4bb8', 'SpO2', 'spo2'),
  row('MDIL', '0002-f09c', 'SpO2T', 'spo2'),
  row('MDIL', '0002-4822', 'Pulse (SpO2)', 'pulseRate'),
  row('MDIL', '0002-4182', 'HR', 'heartRate'),
  row('MDIL', '0002-500a', 'RR', 'respiratoryRate'),
  row('MDIL', '0002-4bb0', 'Perf', 'perfusionIndex', { isUnitless: true }),
  row('MDIL', '0002-4a05', 'NBPs', 'systolic'),
  row('MDIL', '0002-4a06', 'NBPd', 'diastolic'),
  row('EHC', '327680', 'SPO2_SPO2', 'spo2'),
];

const keyOf = (system: string, id: string): string => `${system} ${id}`;
const byId = new Map(knownCodes.map((known) => [keyOf(known.system, known.id), known]));
const knownNames = new Set(knownCodes.flatMap((known) => known.names.map((name) => keyOf(known.system, name))));

const systems = new Set<string>(knownCodes.map(({ system }) => system));

/** LOINC's codes of wider things than `kinds` has, which agree with a kind (clinical.md section 7). */
const widerLoinc: Partial<Record<VitalKind, string>> = { spo2: '2708-6', pulseRate: '8867-4' };

/** Names that say for sure what a code is of: any reference id of 11073-10101 (or of its private part), and curves. */
const tellingName = /^MDCX?_|WAVE/i;

/**
 * Returns what a code of the built-in table means, or null if it is not there. Codes match by number and system, never
 * by a name that looks alike. The name only contradicts: if it is that of another row, a digit was damaged (150301 and
 * 150302 are systolic and diastolic), and the code means nothing. Neither does it beside any other reference id, and
 * beside the name of a curve, which comes under the number of its numeric (HAPI's 150456 ..._SAT_O2_WAVEFORM). Other
 * names are labels, which a site may change. The second triplet identifies what the first one does not; if one of them
 * names another thing than the other, the code means nothing.
 */
export function codeRow(code: Code): CodeRow | null {
  const { alternate } = code;
  const first = rowOf(code);
  if (alternate === undefined) {
    return first;
  }
  const known = first ?? rowOf(alternate);
  const agrees = (triplet: Triplet): boolean => known !== null && (kindsOf(triplet)?.includes(known.kind) ?? true);
  return agrees(code) && agrees(alternate) ? known : null;
}

function rowOf({ id, text, system }: Triplet): KnownCode | null {
  const known = byId.get(keyOf(system, id));
  const name = text.toUpperCase();
  const isOther = knownNames.has(keyOf(system, name)) || tellingName.test(name);
  return known === undefined || (isOther && !known.names.includes(name)) ? null : known;
}

/** Returns which kinds a triplet may be of; null: it does not say. A system of the table names other things as well. */
function kindsOf(triplet: Triplet): readonly VitalKind[] | null {
  const known = rowOf(triplet);
  if (known !== null) {
    return [known.kind];
  }
  const { id, text, system } = triplet;
  const named = system === 'LN' ? vitalKinds.filter((kind) => [kinds[kind].loinc, widerLoinc[kind]].includes(id)) : [];
  return named.length > 0 || systems.has(system) || tellingName.test(text) ? named : null;
}

/**
 * Returns whether the built-in table has this number or this name (of the first triplet): where the other one is not
 * that of its row, one of them was damaged, and no person may say what the code means.
 */
export function isBuiltIn({ id, text, system }: Code): boolean {
  return byId.has(keyOf(system, id)) || knownNames.has(keyOf(system, text.toUpperCase()));
}

/** A unit that is taken for a kind: a value in it times `factor` plus `offset` is in the kind's own unit. */
export interface KnownUnit {
  /** What senders write: a text, or a code of UCUM. */
  names: readonly string[];
  /** Those that only UCUM's own system may write, because alone they say too little. */
  ucumOnly?: readonly string[];
  /** Codes of ISO/IEEE 11073-10101; Philips writes their low 16 bits: 0004-0aa0. */
  mdc: readonly number[];
  factor: number;
  offset: number;
}

const percent: KnownUnit = { names: ['%'], mdc: [262688], factor: 1, offset: 0 };
const mmHg: KnownUnit = { names: ['mm[Hg]', 'mmHg', 'mm Hg'], mdc: [266016], factor: 1, offset: 0 };
/** UCUM has 1 mmHg as 133.322 Pa. */
const kiloPascal: KnownUnit = { names: ['kPa'], mdc: [265987], factor: 1_000 / 133.322, offset: 0 };
const pressure = [mmHg, kiloPascal];
const beats: KnownUnit = {
  names: ['/min', '1/min', 'bpm', 'BPM', '{beat}/min', '{beats}/min', 'beats/min'],
  mdc: [264864, 264672],
  factor: 1,
  offset: 0,
};

/** The units that each kind is taken in; an empty list: no unit at all. All else is refused, never guessed. */
export const unitsOf: Readonly<Record<VitalKind, readonly KnownUnit[]>> = {
  spo2: [percent, { names: [], ucumOnly: ['1'], mdc: [], factor: 100, offset: 0 }],
  heartRate: [beats],
  pulseRate: [beats],
  respiratoryRate: [
    {
      names: ['/min', '1/min', 'rpm', 'bpm', '{breath}/min', '{breaths}/min', 'breaths/min', 'br/min'],
      mdc: [264928, 264672],
      factor: 1,
      offset: 0,
    },
  ],
  temperature: [
    { names: ['Cel', 'degC', '°C', 'C'], mdc: [268192], factor: 1, offset: 0 },
    { names: ['[degF]', 'degF', '°F', 'F'], mdc: [266560], factor: 5 / 9, offset: -160 / 9 },
    { names: ['K'], mdc: [], factor: 1, offset: -273.15 },
  ],
  systolic: pressure,
  diastolic: pressure,
  perfusionIndex: [percent],
  oxygenFlow: [
    { names: ['L/min', 'l/min'], mdc: [265216], factor: 1, offset: 0 },
    { names: ['mL/min', 'ml/min'], mdc: [265234], factor: 0.001, offset: 0 },
  ],
  consciousness: [],
  weight: [
    { names: ['kg'], mdc: [263875], factor: 1, offset: 0 },
    { names: ['g'], mdc: [263872], factor: 0.001, offset: 0 },
    { names: ['[lb_av]', 'lb'], mdc: [263904], factor: 0.45359237, offset: 0 },
  ],
};

const dimensionless = new Set(['262656', '0004-0200']);

/**
 * Returns how a value in this unit becomes one in the kind's, or null if the unit is not taken for the kind. The code
 * decides; a text beside it that means another unit of the kind contradicts it, and the unit is refused.
 */
export function unitOf(
  { kind, isUnitless }: CodeRow,
  { id, text, system }: Code,
): { factor: number; offset: number } | null {
  if (isUnitless && text === '' && (id === '' || dimensionless.has(id))) {
    return { factor: 1, offset: 0 };
  }
  const units = unitsOf[kind];
  const isUcum = system === 'UCUM';
  const named = (name: string): KnownUnit | undefined =>
    units.find(({ names, ucumOnly = [] }) => names.includes(name) || (isUcum && ucumOnly.includes(name)));
  const coded = units.find(({ mdc }) => mdc.some((code) => id === String(code) || id === philipsForm(code)));
  const byCode = system === 'MDC' || system === 'MDIL' ? coded : named(id === '' ? text : id);
  const beside = named(text);
  return byCode === undefined || (beside !== undefined && beside !== byCode) ? null : byCode;
}

/** Returns a code as it is sent: "0002-4bb8^SpO2^MDIL", and its second triplet. */
export function codeText({ id, text, system, alternate }: Code): string {
  return [id, text, system, ...(alternate === undefined ? [] : [codeText(alternate)])].join('^');
}

function philipsForm(code: number): string {
  return `0004-${(code % 65_536).toString(16).padStart(4, '0')}`;
}
