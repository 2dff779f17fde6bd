import { hasSignal, kinds, vitalKinds, type VitalKind } from '../vitals/kinds';

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
  /** Two people have to say first whether the text beside its number means what the number does. */
  isHeld?: boolean;
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
 * names are labels, which a site may change: what they mean, two people say (`labelOf`). The second triplet identifies
 * what the first one does not; if one of them names another thing than the other, the code means nothing.
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
  return known !== undefined && isCalled(known, text) ? known : null;
}

/** Returns whether a code may have this name beside it: not that of another thing. */
function isCalled({ system, names }: KnownCode, text: string): boolean {
  const name = text.toUpperCase();
  return names.includes(name) || !(knownNames.has(keyOf(system, name)) || tellingName.test(name));
}

/**
 * Returns the triplet by which the table knows a code, if its text is a label: not empty and no name of the number.
 * `isPlain`: it has the plain name of the kind.
 */
export function labelOf(code: Code): (Triplet & { isPlain: boolean }) | null {
  const own = rowOf(code);
  const { id, text, system } = own === null ? (code.alternate ?? code) : code;
  const known = own ?? rowOf({ id, text, system });
  return known === null || ['', ...known.names].includes(text.toUpperCase())
    ? null
    : { id, text, system, isPlain: isPlainlyCalled(known.kind, text) };
}

/** What monitors call a kind beside its label, without blanks. */
const otherNames: Partial<Record<VitalKind, readonly string[]>> = {
  heartRate: ['heartrate', 'ecghr'],
  pulseRate: ['pulse', 'pulserate'],
  respiratoryRate: ['resp', 'awresp'],
  systolic: ['sys', 'nibpsys'],
  diastolic: ['dia', 'nibpdia'],
  perfusionIndex: ['perf'],
};

/**
 * Returns whether a text is the plain name of a kind, also with the side or the number of a probe: any other word may
 * make it another thing ("SpO2 CO", "Temp skin").
 */
function isPlainlyCalled(kind: VitalKind, text: string): boolean {
  const words = text
    .normalize('NFKC')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => !['left', 'right', '1', '2'].includes(word));
  const label = kinds[kind].label.toLowerCase().replace(' ', '');
  return [label, ...(otherNames[kind] ?? [])].includes(words.join(''));
}

/** MDC_TEMP says not of what. It is not in the table: skin is no core temperature. */
const someTemperature = row('MDC', '150344', 'MDC_TEMP', 'temperature');

/** Returns whether a code is that of a temperature without its place. Where that is, only the site can say. */
export function isSomeTemperature({ id, text, system, alternate }: Code): boolean {
  const agrees = alternate === undefined || (kindsOf(alternate)?.includes('temperature') ?? true);
  return system === someTemperature.system && id === someTemperature.id && isCalled(someTemperature, text) && agrees;
}

/** Returns which kinds a triplet may be of; null: it does not say. A system of the table names other things as well. */
export function kindsOf(triplet: Triplet): readonly VitalKind[] | null {
  const known = rowOf(triplet);
  if (known !== null) {
    return [known.kind];
  }
  const { id, text, system } = triplet;
  if (systems.has(system) || tellingName.test(text)) {
    return [];
  }
  const named = vitalKinds.filter((kind) => system === 'LN' && [kinds[kind].loinc, widerLoinc[kind]].includes(id));
  return named.length === 0 ? null : named;
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
  /** What senders write: a text, in any case, or a code of UCUM. */
  names: readonly string[];
  /** Those that only UCUM's own system may write, because alone they say too little. */
  ucumOnly?: readonly string[];
  /**
   * Numbers of ISO/IEEE 11073-10101 with their reference ids (HL7's value set 11073MDC-dimension,
   * build.fhir.org/ig/HL7/uv-pocd); Philips writes the low 16 bits of the number: 0004-0aa0.
   */
  mdc: Readonly<Record<number, string>>;
  factor: number;
  offset: number;
}

const percent: KnownUnit = { names: ['%'], mdc: { 262688: 'MDC_DIM_PERCENT' }, factor: 1, offset: 0 };
const dimensionless: KnownUnit = { names: [], mdc: { 262656: 'MDC_DIM_DIMLESS' }, factor: 1, offset: 0 };
const mmHg: KnownUnit = {
  names: ['mm[Hg]', 'mmHg', 'mm Hg'],
  mdc: { 266016: 'MDC_DIM_MMHG' },
  factor: 1,
  offset: 0,
};
/** UCUM has 1 mmHg as 133.322 Pa. */
const kiloPascal: KnownUnit = {
  names: ['kPa'],
  mdc: { 265987: 'MDC_DIM_KILO_PASCAL' },
  factor: 1_000 / 133.322,
  offset: 0,
};
const pressure = [mmHg, kiloPascal];
const perMinute = { names: ['/min', '1/min', 'bpm', 'BPM'], mdc: { 264672: 'MDC_DIM_PER_MIN' } };
const beats: KnownUnit = {
  names: [...perMinute.names, '{beat}/min', '{beats}/min', 'beats/min', 'beats/minute'],
  mdc: { ...perMinute.mdc, 264864: 'MDC_DIM_BEAT_PER_MIN' },
  factor: 1,
  offset: 0,
};

/** The units that each kind is taken in; an empty list: no unit at all. All else is refused, never guessed. */
export const unitsOf: Readonly<Record<VitalKind, readonly KnownUnit[]>> = {
  spo2: [percent, { names: [], ucumOnly: ['1'], mdc: {}, factor: 100, offset: 0 }],
  heartRate: [beats],
  pulseRate: [beats],
  respiratoryRate: [
    {
      names: [...perMinute.names, 'rpm', '{breath}/min', '{breaths}/min', 'breaths/min', 'breaths/minute', 'br/min'],
      mdc: { ...perMinute.mdc, 264928: 'MDC_DIM_RESP_PER_MIN' },
      factor: 1,
      offset: 0,
    },
  ],
  temperature: [
    { names: ['Cel', 'degC', '°C', 'C'], mdc: { 268192: 'MDC_DIM_DEGC' }, factor: 1, offset: 0 },
    { names: ['[degF]', 'degF', '°F', 'F'], mdc: { 266560: 'MDC_DIM_FAHR' }, factor: 5 / 9, offset: -160 / 9 },
    { names: ['K'], mdc: {}, factor: 1, offset: -273.15 },
  ],
  systolic: pressure,
  diastolic: pressure,
  perfusionIndex: [percent],
  oxygenFlow: [
    { names: ['L/min'], mdc: { 265216: 'MDC_DIM_L_PER_MIN' }, factor: 1, offset: 0 },
    { names: ['mL/min'], mdc: { 265234: 'MDC_DIM_MILLI_L_PER_MIN' }, factor: 0.001, offset: 0 },
  ],
  consciousness: [],
  weight: [
    { names: ['kg'], mdc: { 263875: 'MDC_DIM_KILO_G' }, factor: 1, offset: 0 },
    { names: ['g'], mdc: { 263872: 'MDC_DIM_G' }, factor: 0.001, offset: 0 },
    { names: ['[lb_av]', 'lb'], mdc: { 263904: 'MDC_DIM_LB' }, factor: 0.45359237, offset: 0 },
  ],
};

/** Returns whether no patient can have a number, whichever of the kind's units it is in. */
export const isImpossible = (kind: VitalKind, value: number): boolean =>
  unitsOf[kind].every(({ factor, offset }) => !hasSignal(kind, value * factor + offset));

/** Returns whether a unit says nothing. */
export const isSilent = ({ id, text, alternate }: Code): boolean => id === '' && text === '' && alternate === undefined;

/** The units by what names them: a text or reference id, also in small letters, and UCUM's own after "UCUM ". */
const unitsByName = new Map<string, KnownUnit[]>();
/** The units by their numbers, in both forms. */
const unitsByNumber = new Map<string, KnownUnit[]>();
for (const unit of new Set([dimensionless, ...vitalKinds.flatMap((kind) => unitsOf[kind])])) {
  const { names, ucumOnly = [], mdc } = unit;
  const words = [...names, ...Object.values(mdc)].flatMap((name) => [name, name.toLowerCase()]);
  for (const word of new Set([...words, ...ucumOnly.map((code) => keyOf('UCUM', code))])) {
    unitsByName.set(word, [...(unitsByName.get(word) ?? []), unit]);
  }
  for (const number of Object.keys(mdc).flatMap((code) => [code, philipsForm(Number(code))])) {
    unitsByNumber.set(number, [...(unitsByNumber.get(number) ?? []), unit]);
  }
}

/** Returns which units a word names; null: it says nothing to us. UCUM's own codes have a case. */
function unitsNamed(word: string, system: string, isId: boolean): readonly KnownUnit[] | null {
  const isNumber = isId && (system === 'MDC' || system === 'MDIL');
  return (
    (isNumber ? unitsByNumber.get(word) : undefined) ??
    unitsByName.get(word) ??
    unitsByName.get(system === 'UCUM' ? keyOf(system, word) : word.toLowerCase()) ??
    (isNumber || tellingName.test(word) ? [] : null)
  );
}

/**
 * Returns how a value in this unit becomes one in the kind's, or null if the unit is not taken for the kind. The first
 * word that is said decides: that which two people have given it (`given`), the number or code, else the text. Any
 * other word that means another unit contradicts it, also one of the second triplet, and the unit is refused.
 */
export function unitOf({ kind, isUnitless }: CodeRow, unit: Code, given = ''): KnownUnit | null {
  let left = isUnitless ? [...unitsOf[kind], dimensionless] : unitsOf[kind];
  let isDecided = false;
  const sent = unit.alternate === undefined ? [unit] : [unit, unit.alternate];
  for (const { id, text, system } of given === '' ? sent : [{ id: given, text: '', system: '' }, ...sent]) {
    for (const word of [id, text].filter((one) => one !== '')) {
      const named = unitsNamed(word, system, word === id);
      if (named === null && !isDecided) {
        return null;
      }
      left = named === null ? left : left.filter((one) => named.includes(one));
      isDecided = true;
    }
  }
  return isDecided ? (left[0] ?? null) : isUnitless ? dimensionless : null;
}

/** Returns a code as it is sent: "0002-4bb8^SpO2^MDIL", and its second triplet. */
export function codeText({ id, text, system, alternate }: Code): string {
  return [id, text, system, ...(alternate === undefined ? [] : [codeText(alternate)])].join('^');
}

/** Returns a code as it is sent, without what is empty at its end. */
export const sentAs = (code: Code): string => (isSilent(code) ? '' : codeText(code).replace(/\^+$/, ''));

/** Returns the code that was sent as this text. */
export function codeFrom(sent: string): Code {
  const [id = '', text = '', system = '', ...others] = sent.split('^');
  return { id, text, system, ...(others.length === 0 ? {} : { alternate: codeFrom(others.join('^')) }) };
}

function philipsForm(code: number): string {
  return `0004-${(code % 65_536).toString(16).padStart(4, '0')}`;
}
