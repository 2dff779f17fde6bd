/** The kinds of a patient's vital signs that Wardlight stores. The order is the order on screens. */
export const vitalKinds = [
  'spo2',
  'heartRate',
  'pulseRate',
  'respiratoryRate',
  'temperature',
  'systolic',
  'diastolic',
  'perfusionIndex',
  'oxygenFlow',
  'consciousness',
  'weight',
] as const;

export type VitalKind = (typeof vitalKinds)[number];

export interface KindFacts {
  /** The kind's code in the store; never reused, never changed. */
  code: number;
  /** The short label on screens. */
  label: string;
  /** UCUM-like unit as shown; empty if the value is a letter. */
  unit: string;
  loinc: string;
  /** Code in ISO/IEEE 11073-10101; null if we know none. */
  mdc: number | null;
  /** A value outside cannot have been measured on a patient: there is no signal (clinical.md section 00, A6). */
  plausible: { min: number; max: number };
  /** Below this a device reports the absence of a signal, not a value; null if every plausible value is one. */
  signalFrom: number | null;
  /** Decimals shown; rules evaluate the value as shown. */
  precision: number;
  /** How often a value is expected when the device does not say, in milliseconds. */
  expectedEveryMs: number;
  /** Continuous kinds come from a monitor and are thinned out after RAW_DAYS; spot kinds stay for good. */
  continuous: boolean;
}

const second = 1_000;
const hour = 3_600_000;

/**
 * The one table of kinds. LOINC and MDC codes: clinical.md section 7; signal limits: section 2.3 (SpO2 below 1 and
 * an oximeter's pulse below 20 are no signal, while an ECG heart rate of 0 to 19 is a value). The plausible ranges
 * are the widest that devices of these kinds report, chosen by us.
 */
export const kinds = {
  spo2: {
    code: 1,
    label: 'SpO2',
    unit: '%',
    loinc: '59408-5',
    mdc: 150456,
    plausible: { min: 0, max: 100 },
    signalFrom: 1,
    precision: 0,
    expectedEveryMs: second,
    continuous: true,
  },
  heartRate: {
    code: 2,
    label: 'HR',
    unit: '/min',
    loinc: '8867-4',
    mdc: 147842,
    plausible: { min: 0, max: 300 },
    signalFrom: null,
    precision: 0,
    expectedEveryMs: second,
    continuous: true,
  },
  pulseRate: {
    code: 3,
    label: 'PR',
    unit: '/min',
    loinc: '8889-8',
    mdc: 149530,
    plausible: { min: 0, max: 300 },
    signalFrom: 20,
    precision: 0,
    expectedEveryMs: second,
    continuous: true,
  },
  respiratoryRate: {
    code: 4,
    label: 'RR',
    unit: '/min',
    loinc: '9279-1',
    mdc: 151562,
    plausible: { min: 0, max: 150 },
    signalFrom: null,
    precision: 0,
    expectedEveryMs: second,
    continuous: true,
  },
  temperature: {
    code: 5,
    label: 'Temp',
    unit: '°C',
    loinc: '8310-5',
    mdc: 150364,
    plausible: { min: 10, max: 46 },
    signalFrom: null,
    precision: 1,
    expectedEveryMs: 4 * hour,
    continuous: false,
  },
  systolic: {
    code: 6,
    label: 'Systolic',
    unit: 'mmHg',
    loinc: '8480-6',
    mdc: 150301,
    plausible: { min: 0, max: 370 },
    signalFrom: null,
    precision: 0,
    expectedEveryMs: hour,
    continuous: false,
  },
  diastolic: {
    code: 7,
    label: 'Diastolic',
    unit: 'mmHg',
    loinc: '8462-4',
    mdc: 150302,
    plausible: { min: 0, max: 370 },
    signalFrom: null,
    precision: 0,
    expectedEveryMs: hour,
    continuous: false,
  },
  perfusionIndex: {
    code: 8,
    label: 'PI',
    unit: '%',
    loinc: '61006-3',
    mdc: 150448,
    plausible: { min: 0, max: 30 },
    signalFrom: null,
    precision: 1,
    expectedEveryMs: second,
    continuous: true,
  },
  oxygenFlow: {
    code: 9,
    label: 'O2 flow',
    unit: 'L/min',
    loinc: '3151-8',
    mdc: null,
    plausible: { min: 0, max: 100 },
    signalFrom: null,
    precision: 1,
    expectedEveryMs: 4 * hour,
    continuous: false,
  },
  consciousness: {
    code: 10,
    label: 'ACVPU',
    unit: '',
    loinc: '80288-4',
    mdc: null,
    plausible: { min: 0, max: 4 },
    signalFrom: null,
    precision: 0,
    expectedEveryMs: 4 * hour,
    continuous: false,
  },
  weight: {
    code: 11,
    label: 'Weight',
    unit: 'kg',
    loinc: '29463-7',
    mdc: 188736,
    plausible: { min: 0.2, max: 700 },
    signalFrom: null,
    precision: 1,
    expectedEveryMs: 24 * hour,
    continuous: false,
  },
} as const satisfies Record<VitalKind, KindFacts>;

/** Alert, new Confusion, responds to Voice, to Pain, Unresponsive; the store keeps the index. */
export const consciousnessLevels = ['A', 'C', 'V', 'P', 'U'] as const;

/** Returns whether a value can have been measured on a patient. */
export function isPossible(kind: VitalKind, value: number): boolean {
  const { min, max } = kinds[kind].plausible;
  return value >= min && value <= max;
}

/**
 * Returns between which values, in the unit of the kind, a kind can have been measured: those that are plausible, and
 * not the absence of a signal.
 */
export function measuredRange(kind: VitalKind): { min: number; max: number } {
  const { plausible, signalFrom } = kinds[kind];
  return { min: Math.max(plausible.min, signalFrom ?? plausible.min), max: plausible.max };
}

/** Returns whether there was a signal; without one it is no value (clinical.md section 2.3). */
export function hasSignal(kind: VitalKind, value: number): boolean {
  const { min, max } = measuredRange(kind);
  return value >= min && value <= max;
}

/** Oximeters send this rate for none, with an SpO2 of 127 or without one (clinical.md section 00, A6). */
export const noRate = 255;

/** A sample needs some value. An invalid one is shown and evaluated nowhere. */
export function noSignalValue(kind: VitalKind): number {
  return kinds[kind].plausible.min;
}

const kindByCode = new Map<number, VitalKind>(vitalKinds.map((kind) => [kinds[kind].code, kind]));

/** Takes a store code and returns its kind; throws on a code that no kind has, because the store is then damaged. */
export function kindOfCode(code: number): VitalKind {
  const kind = kindByCode.get(code);
  if (kind === undefined) {
    throw new Error(`No vital kind has the code ${code}`);
  }
  return kind;
}

/** Takes a store code and says whether a kind of this release has it. */
export function isKindCode(code: number): boolean {
  return kindByCode.has(code);
}

/** Takes any text and says whether it names a kind. */
export function isVitalKind(text: string): text is VitalKind {
  return Object.hasOwn(kinds, text);
}
