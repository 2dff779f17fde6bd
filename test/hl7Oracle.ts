/**
 * A plain, slow reader of what docs/interfaces.md says of ORU^R01. It shares nothing with lib/hl7 and is made of
 * `split` and regular expressions: tests compare what is taken of damaged bytes with what it finds in them.
 */

/** A value as a text, so that lists of them can be compared: "spo2 97 good 2026-05-01T10:00:00.000Z". */
export type FoundValue = string;

/** What a message says of one patient. */
export interface FoundPatient {
  /** The numbers of the type MR. */
  mrns: string[];
  /** Whether it names someone by any number. */
  hasNumber: boolean;
  familyName: string;
  /** "1933-03-30", else what was sent. */
  birthDate: string;
  bed: string;
  isTraining: boolean;
  values: FoundValue[];
}

/** What point 3 compares a message with. Beds are those of the sender, as they are mapped. */
export interface KnownPatient {
  id: number;
  mrn: string;
  familyName: string;
  birthDate: string;
  bed: string;
}

const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');
/** Other bytes are no blanks: 0xa0 would be one in Latin-1. */
const ascii = (bytes: Uint8Array): string => latin1(bytes).replaceAll(/[\u0080-\u00ff]/g, '\ufffd');

/** Returns the messages of a stream: a whole frame ends after a segment, or its end has one of the signs after it. */
export function framesIn(stream: Uint8Array): Uint8Array[] {
  // oxlint-disable-next-line no-control-regex -- MLLP consists of them
  const whole = /\x0b(?<after>[^\x0b\x1c]*[\r\n]|)\x1c|\x0b(?<inside>[^\x0b\x1c]*)\x1c(?=[\r\x0b]|$)/g;
  return [...latin1(stream).matchAll(whole)].map(({ groups }) =>
    Uint8Array.from(Buffer.from(groups?.after ?? groups?.inside ?? '', 'latin1')),
  );
}

/** Names of lines by what they are in a message. */
const letters = new Map(
  Object.entries({
    ...{ M: ['MSH'], P: ['PID'], V: ['PV1'], X: ['OBX'], O: ['OBR', 'ORC'], o: ['TQ1', 'TQ2', 'CTD'] },
    /** Of the head only; after results the second kind can only be another patient's. */
    ...{ H: ['ARV', 'ROL', 'DB1', 'AL1', 'DG1', 'SFT', 'EVN'], h: ['PV2', 'PD1', 'NK1'] },
    /** Of head and results, and of results only. */
    ...{ b: ['NTE', 'PRT'], R: ['SPM', 'FT1', 'CTI', 'DSC', 'TCD', 'SID'] },
  }).flatMap(([letter, names]) => names.map((name) => [name, letter] as const)),
);

/** Returns what a line is, as a letter, and "!" after it if the head of a patient or an order went into it. */
function letterOf(line: string, { bar, component }: Pick<Reader, 'bar' | 'component'>): string {
  const [name = ''] = /^[A-Z][A-Z0-9]{2}/.exec(line) ?? [];
  const isNamed = name !== '' && (line === name || line[3] === bar);
  const letter = isNamed ? (letters.get(name) ?? (name.startsWith('Z') ? 'Z' : '?')) : '?';
  const barred = bar === '|' ? line : line.replaceAll('|', '/').replaceAll(bar, '|');
  // In a PID only with what the tail has in its own fields, because people's names may end so too.
  const tail =
    letter === 'P'
      ? /\|[^|]*(?:PV1\||PID(?:\|[^|]*){2}\|[^|]{2}|OBR(?:\|[^|]*){6}\|\d{12})/
      : /\|[^|]*(?:PID|PV1|ORC|OBR)\|/;
  // No result has the number of a person: it is of a PID whose name is lost.
  const isNumber = (field: string): boolean =>
    /^(?!\n{3})[^]+?\n\n\n[^]*(?<=\n)(?:MR|PI|PN|PT|AN|VN|SS|NI)$/.test(field.replaceAll(component, '\n'));
  const hasNumber = (letter === 'X' || !isNamed) && line.split(bar).slice(1, -1).some(isNumber);
  const isSwallower = tail.test(barred) || hasNumber;
  return isSwallower ? `${letter}!` : letter;
}

/**
 * The lines of a patient that are surely theirs: PID, then other lines of the head with at most one PV1, then orders
 * and results. After a line that cannot be read results go on until the next order, because that line may have been
 * the PID before it. A second head ends the patient, and so does a line that one went into.
 */
const ofPatient = /^[MP][HhbZo]*V?[HhbZo]*[OX][OXbZoR]*(?:[^OXbZoRhV!][^OhV!]*)?/;

interface Reader {
  bar: string;
  component: string;
  repetition: string;
  subcomponent: string;
  /** Returns a text without its escapes. */
  plain: (text: string) => string;
}

function decoderOf(name: string): ((bytes: Uint8Array) => string) | null {
  const [, part] = /^(?:ISO[ _-]?)?8859[/-]([1-9]|15)$/.exec(name) ?? [];
  if (part !== undefined) {
    // 0x81 is a control in each of these sets, those of Windows included.
    const marked = (byte: number): number => (byte >= 0x80 && byte < 0xa0 ? 0x81 : byte);
    const decoder = new TextDecoder(`iso-8859-${part}`);
    return (bytes) => decoder.decode(bytes.map(marked)).replaceAll('\u0081', '\ufffd');
  }
  return ['', 'ASCII', 'UTF-8', 'UNICODE UTF-8'].includes(name)
    ? (bytes) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
    : null;
}

function readerOf(all: readonly string[], decode: (bytes: Uint8Array) => string): Reader {
  const [bar = '', component = '', repetition = '', escape = '', subcomponent = ''] = all;
  const signs = { F: bar, S: component, T: subcomponent, R: repetition, E: escape, H: '', N: '', '.br': '\n' };
  const known = new Map(Object.entries(signs));
  const sign = escape.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
  const sequence = new RegExp(`${sign}(F|S|T|R|E|H|N|\\.br|X(?:[0-9A-Fa-f]{2})+)${sign}`, 'g');
  const plain = (text: string): string =>
    !text.includes(escape)
      ? text
      : text.replaceAll(sequence, (_, name: string) =>
          name.startsWith('X') ? decode(Uint8Array.from(Buffer.from(name.slice(1), 'hex'))) : (known.get(name) ?? ''),
        );
  return { bar, component, repetition, subcomponent, plain };
}

/** Returns a text of a field: of its first repetition, without escapes, '' if it is `""`. */
function textOf(field: string | undefined, { component, repetition, subcomponent, plain }: Reader, place = 1): string {
  const [first = ''] = (field ?? '').split(repetition);
  const [text = ''] = (first.split(component)[place - 1] ?? '').split(subcomponent);
  return field === '""' || text === '""' ? '' : plain(text).trim();
}

/** Returns the components of each repetition of a field. */
function repetitionsOf(field: string | undefined, { component, repetition, plain }: Reader): string[][] {
  return field === undefined || field === '' || field === '""'
    ? []
    : field
        .split(repetition)
        .map((one) => one.split(component).map((text) => (text === '""' ? '' : plain(text).trim())));
}

const dateOf = (text: string): string | null => {
  const date = text.slice(0, 8).replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3');
  const at = /^\d{4}-\d\d-\d\d$/.test(date) ? new Date(`${date}T00:00:00Z`) : null;
  return at !== null && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(date) ? date : null;
};

/** Returns the instant of a time in the zone UTC, in ISO 8601; null if it is none. */
function instantOf(text: string): string | null {
  const [, hour, minute, second = '00', fraction = '', zone = 'Z'] =
    /^\d{8}([01]\d|2[0-3])([0-5]\d)(?:([0-5]\d)(?:\.(\d{1,9}))?)?([+-](?:(?:0\d|1[0-3])[0-5]\d|1400))?$/.exec(text) ??
    [];
  const date = dateOf(text);
  if (date === null || hour === undefined || date < '1970') {
    return null;
  }
  const offset = zone.replace(/(\d\d)$/, ':$1');
  return new Date(`${date}T${hour}:${minute}:${second}.${fraction.slice(0, 3).padEnd(3, '0')}${offset}`).toISOString();
}

interface Unit {
  /** Numbers of MDC, in both forms. */
  ids: string[];
  /** All else, reference ids included. */
  names: string[];
  factor: number;
}

const unit = (ids: string, names: string, factor = 1): Unit => ({
  ids: ids.split(' '),
  names: names.split(', '),
  factor,
});
const percent = unit('262688 0004-0220', '%, MDC_DIM_PERCENT');
const fraction = unit('', 'UCUM:1', 100);
const none = unit('262656 0004-0200', 'MDC_DIM_DIMLESS');
const beats = unit(
  '264672 0004-09e0 264864 0004-0aa0',
  '/min, 1/min, bpm, BPM, {beat}/min, {beats}/min, beats/min, beats/minute, MDC_DIM_PER_MIN, MDC_DIM_BEAT_PER_MIN',
);
const breaths = unit(
  '264672 0004-09e0 264928 0004-0ae0',
  '/min, 1/min, bpm, BPM, rpm, {breath}/min, {breaths}/min, breaths/min, breaths/minute, br/min, MDC_DIM_PER_MIN, ' +
    'MDC_DIM_RESP_PER_MIN',
);
const pressures = [
  unit('266016 0004-0f20', 'mm[Hg], mmHg, mm Hg, MDC_DIM_MMHG'),
  unit('265987 0004-0f03', 'kPa, MDC_DIM_KILO_PASCAL', 1_000 / 133.322),
];
/** Those of kinds that are not in the messages: they contradict as well. */
const others = [
  ...[
    unit('268192 0004-17a0', 'Cel, degC, °C, C, MDC_DIM_DEGC'),
    unit('', 'K'),
    unit('263872 0004-06c0', 'g, MDC_DIM_G'),
  ],
  ...[unit('266560 0004-1140', '[degF], degF, °F, F, MDC_DIM_FAHR'), unit('263875 0004-06c3', 'kg, MDC_DIM_KILO_G')],
  ...[unit('263904 0004-06e0', '[lb_av], lb, MDC_DIM_LB'), unit('265216 0004-0c00', 'L/min, l/min, MDC_DIM_L_PER_MIN')],
  unit('265234 0004-0c12', 'mL/min, ml/min, MDC_DIM_MILLI_L_PER_MIN'),
];
const allUnits = [percent, fraction, none, beats, breaths, ...pressures, ...others];

/** What is a signal of a patient: anything else is none (clinical.md section 00, A6). */
const kinds: Record<string, { to: number; signalFrom: number; units: Unit[] }> = {
  spo2: { to: 100, signalFrom: 1, units: [percent, fraction] },
  heartRate: { to: 300, signalFrom: 0, units: [beats] },
  pulseRate: { to: 300, signalFrom: 20, units: [beats] },
  respiratoryRate: { to: 150, signalFrom: 0, units: [breaths] },
  systolic: { to: 370, signalFrom: 0, units: pressures },
  diastolic: { to: 370, signalFrom: 0, units: pressures },
  perfusionIndex: { to: 30, signalFrom: 0, units: [percent] },
};

/** The codes of the messages that the tests damage, as OBX-3 has them, and what they are to us. */
const codes = [
  ['150456^MDC_PULS_OXIM_SAT_O2^MDC', 'spo2'],
  ['149530^MDC_PULS_OXIM_PULS_RATE^MDC', 'pulseRate'],
  ['147842^MDC_ECG_HEART_RATE^MDC', 'heartRate'],
  ['150448^MDC_PULS_OXIM_PERF_REL^MDC', 'perfusionIndex'],
  ['150488^MDC_BLD_PERF_INDEX^MDC', 'perfusionIndex'],
  ['151562^MDC_RESP_RATE^MDC', 'respiratoryRate'],
  ['151570^MDC_AWAY_RESP_RATE^MDC', 'respiratoryRate'],
  ['151578^MDC_TTHOR_RESP_RATE^MDC', 'respiratoryRate'],
  ['150301^MDC_PRESS_CUFF_SYS^MDC', 'systolic'],
  ['150302^MDC_PRESS_CUFF_DIA^MDC', 'diastolic'],
  ['150021^MDC_PRESS_BLD_NONINV_SYS^MDC', 'systolic'],
  ['150022^MDC_PRESS_BLD_NONINV_DIA^MDC', 'diastolic'],
  ['0002-4bb8^SpO2^MDIL', 'spo2'],
  ['0002-f09c^SpO2T^MDIL', 'spo2'],
  ['0002-4822^Pulse (SpO2)^MDIL', 'pulseRate'],
  ['0002-4182^HR^MDIL', 'heartRate'],
  ['0002-500a^RR^MDIL', 'respiratoryRate'],
  ['0002-4bb0^Perf^MDIL', 'perfusionIndex'],
  ['0002-4a05^NBPs^MDIL', 'systolic'],
  ['0002-4a06^NBPd^MDIL', 'diastolic'],
].map(([code = '', kind = '']) => {
  const [id = '', name = '', system = ''] = code.split('^');
  return { id, name, system, kind };
});

/** What the LOINC codes of our kinds may be. */
const loinc: Record<string, string[]> = {
  ...{ '59408-5': ['spo2'], '2708-6': ['spo2'], '8867-4': ['heartRate', 'pulseRate'], '8889-8': ['pulseRate'] },
  ...{ '9279-1': ['respiratoryRate'], '8480-6': ['systolic'], '8462-4': ['diastolic'], '61006-3': ['perfusionIndex'] },
};

/** Returns the code of a triplet; 'other' if it surely is of something else, null if it may be of anything. */
function codeIn([id = '', name = '', system = '']: string[]): (typeof codes)[number] | 'other' | null {
  const ofSystem = codes.filter((code) => code.system === system);
  const known = ofSystem.find((code) => code.id === id);
  const isName = (code: { name: string }): boolean => code.name.toLowerCase() === name.toLowerCase();
  const isOther = ofSystem.some(isName) || /^mdcx?_/i.test(name) || /wave/i.test(name);
  if (known !== undefined) {
    return isOther && !isName(known) ? 'other' : known;
  }
  return isOther || ofSystem.length > 0 || system === 'EHC' ? 'other' : null;
}

/** Returns the kind of a code by the first triplet that has one, unless the other is of something else. */
function kindOf(parts: string[]): { kind: string; isPhilipsPerf: boolean } | null {
  const hasSecond = parts[3] !== '' || parts[4] !== '';
  const triplets = hasSecond ? [parts.slice(0, 3), parts.slice(3)] : [parts.slice(0, 3)];
  const found = triplets.map(codeIn);
  const [known] = found.flatMap((code) => (code === null || code === 'other' ? [] : [code]));
  const isOther = ({ kind }: { kind: string }): boolean =>
    found.some((code) => code === 'other' || (code !== null && code.kind !== kind)) ||
    triplets.some(([id = '', , system]) => system === 'LN' && loinc[id]?.includes(kind) === false);
  return known === undefined || isOther(known) ? null : { kind: known.kind, isPhilipsPerf: known.name === 'Perf' };
}

/** Returns what a value in a unit is multiplied with, or null if the unit is not taken for the kind. */
function factorOf(parts: string[], kind: string, isPhilipsPerf: boolean): number | null {
  const words = [0, 1, 3, 4].flatMap((place) => {
    const [word = '', system = ''] = [parts[place], parts[place < 3 ? 2 : 5]];
    return word === '' ? [] : [{ word, system, isNumber: place % 3 === 0 && ['MDC', 'MDIL'].includes(system) }];
  });
  if (words.length === 0) {
    return isPhilipsPerf ? 1 : null;
  }
  const isNamed = ({ ids, names }: Unit, { word, system, isNumber }: (typeof words)[number]): boolean =>
    (isNumber && ids.includes(word)) ||
    (system === 'UCUM'
      ? names.some((name) => [name, name.toLowerCase(), name.replace('UCUM:', '')].includes(word))
      : names.some((name) => name.toLowerCase() === word.toLowerCase()));
  const [first] = words;
  const taken = [...(kinds[kind]?.units ?? []), ...(isPhilipsPerf ? [none] : [])].find(
    (one) => first !== undefined && isNamed(one, first),
  );
  const differs = words.slice(1).some((said) => {
    const isKnown = allUnits.some((one) => isNamed(one, said)) || said.isNumber || /^mdcx?_|wave/i.test(said.word);
    return isKnown && taken !== undefined && !isNamed(taken, said);
  });
  return taken === undefined || differs ? null : taken.factor;
}

/** Returns the number that a value is, or null if it is a text or nothing. */
function numberOf(text: string, type: string, { component, repetition }: Reader): number | null {
  const [comparator = '', structured = '', ...more] = text.split(component);
  const isPlain = ['', '='].includes(comparator) && more.join('') === '' && !text.includes(repetition);
  const number = type === 'NM' ? text : type === 'SN' && isPlain ? structured.trim() : '';
  return /^[+-]?(?:\d{1,15}(?:\.\d{0,15})?|\.\d{1,15})$/.test(number) ? Number(number) : null;
}

/** Returns what an OBX says of a vital sign, or null if nothing of it is taken. */
function valueOf(fields: string[], time: string, reader: Reader): FoundValue | null {
  const parts = (field: number): string[] => [1, 2, 3, 4, 5, 6].map((place) => textOf(fields[field], reader, place));
  const known = kindOf(parts(3));
  const at = known === null ? null : instantOf(time);
  if (known === null || at === null) {
    return null;
  }
  const flags = repetitionsOf(fields[8], reader).map(([flag = '']) => flag);
  const status = textOf(fields[11], reader);
  if (flags.some((flag) => ['TEST', 'DEMO'].includes(flag))) {
    return null;
  }
  if (['NA', 'MA'].includes(textOf(fields[2], reader))) {
    return null;
  }
  const { kind, isPhilipsPerf } = known;
  const found = (what: string): FoundValue => [kind, what, at].join(' ');
  if (/^[DW]$/.test(status)) {
    return found('withdrawn');
  }
  if (!/^[XNFRPSC]$/.test(status)) {
    return null;
  }
  const number = numberOf(fields[5]?.trim() ?? '', textOf(fields[2], reader), reader);
  if (/^[XN]$/.test(status) || number === null || number < 0 || number === 32_767 || flags.includes('NAV')) {
    return found('no signal');
  }
  const factor = factorOf(parts(6), kind, isPhilipsPerf);
  const facts = kinds[kind];
  const value = Math.round(number * (factor ?? Number.NaN) * 10_000) / 10_000;
  if (facts === undefined) {
    return null;
  }
  const isSignal = (one: number): boolean => one >= facts.signalFrom && one <= facts.to;
  if (factor === null) {
    const isSaid = [0, 1, 3, 4].some((place) => parts(6)[place] !== '');
    return isSaid || facts.units.some((one) => isSignal(number * one.factor)) ? null : found('no signal');
  }
  const quality = flags.some((flag) => ['INV', 'CAL'].includes(flag))
    ? 'invalid'
    : flags.includes('QUES')
      ? 'questionable'
      : 'good';
  return found(isSignal(value) ? `${value} ${quality}` : 'no signal');
}

const looksLikeTime = (field = ''): boolean => /^\d{12}/.test(field.trim());

/** Returns the values of a patient's lines, with the time of each. */
function valuesOf(lines: string[], messageTime: string, reader: Reader): FoundValue[] {
  const values: FoundValue[] = [];
  const zone = /^\d{8,14}(?:\.\d+)?([+-]\d{4})$/.exec(messageTime)?.[1] ?? '';
  // A sign or a digit of it was lost: too many digits, a sign before too few, or a fraction that may end with it.
  const [, fraction = ''] = /^\d{8,14}\.(\d+)$/.exec(messageTime) ?? [];
  const isZoneLost =
    zone === '' && (/^\d{15}|^\d{8}[\d.]*[+-]/.test(messageTime) || [5, 7, 8].includes(fraction.length));
  const inZone = (text: string): string => (/[+-]/.test(text) ? text : isZoneLost ? 'lost' : `${text}${zone}`);
  let [orderTime, arrivalTime] = ['', ''];
  for (const line of lines) {
    const fields = line.split(reader.bar);
    const [name = ''] = fields;
    const own = textOf(fields[14], reader);
    if (name === 'OBR') {
      const time = textOf(fields[7], reader);
      orderTime = time === '' && looksLikeTime(fields[6]) ? 'lost' : time;
      arrivalTime = own === '' && looksLikeTime(fields[13]) ? 'lost' : own;
    }
    if (name === 'OBX') {
      const time = own === '' && looksLikeTime(fields[13]) ? 'lost' : own;
      const [said = ''] = [time, orderTime, messageTime, arrivalTime].filter((text) => text !== '');
      const value = valueOf(fields, inZone(said), reader);
      values.push(...(value === null ? [] : [value]));
    }
    // What comes now may belong to an order whose own line is this damaged one.
    const mayBeOrder =
      /^[?H]/.test(letterOf(line, reader)) && !fields.slice(1, 3).some((field) => /^(?:NM|SN|ST|TX|NA)$/.test(field));
    if (mayBeOrder) {
      orderTime = 'lost';
    }
  }
  return values;
}

/**
 * Returns what a frame says of each patient whose lines are surely theirs; null if it is no message (MSH-1, MSH-2,
 * MSH-18, a second MSH). Times without a zone are of that of MSH-7, else UTC.
 */
export function patientsIn(bytes: Uint8Array): FoundPatient[] | null {
  const [first = ''] = ascii(bytes)
    .split(/[\r\n]+/)
    .filter((line) => line !== '');
  const [, bar = '', signs = ''] = /^MSH(.)([^\r\n]*)$/.exec(first) ?? [];
  const [encoding = ''] = bar === '' ? [] : signs.split(bar);
  const all = [bar, ...encoding];
  const isSign = (sign: string): boolean => /^[!-~]$/.test(sign) && !/["A-Za-z0-9]/.test(sign);
  if (![5, 6].includes(all.length) || !all.every(isSign) || new Set(all).size !== all.length) {
    return null;
  }
  const asciiReader = readerOf(all, (some) => new TextDecoder().decode(some));
  const decode = decoderOf(textOf(first.split(bar)[17], asciiReader).toUpperCase());
  if (decode === null) {
    return null;
  }
  const reader = readerOf(all, decode);
  const lines = decode(bytes)
    .split(/[\r\n]+/)
    .filter((line) => line !== '');
  const kindsOfLines = lines.map((line) => letterOf(line, reader));
  if (kindsOfLines.filter((letter) => letter.startsWith('M')).length !== 1) {
    return null;
  }
  const header = lines[0]?.split(bar) ?? [];
  const starts = kindsOfLines.flatMap((letter, index) => (/^[MP]/.test(letter) ? [index] : []));
  return starts.flatMap((start, index) => {
    const end = starts[index + 1] ?? lines.length;
    const [taken = ''] = ofPatient.exec(kindsOfLines.slice(start, end).join('')) ?? [];
    const own = lines.slice(start, start + taken.length);
    return own.some((line) => letterOf(line, reader).startsWith('X')) ? [patientOf(own, header, reader)] : [];
  });
}

function patientOf(lines: string[], header: string[], reader: Reader): FoundPatient {
  const fieldsOf = (letter: string): string[] =>
    lines.find((line) => letterOf(line, reader).startsWith(letter))?.split(reader.bar) ?? [];
  const pid = fieldsOf('P');
  const numbers = [3, 2, 4].flatMap((field) => repetitionsOf(pid[field], reader)).filter(([id]) => id !== '');
  const names = repetitionsOf(pid[5], reader).flat();
  const birthDate = textOf(pid[7], reader);
  const bed = fieldsOf('V')[3]?.trim() ?? '';
  return {
    mrns: numbers.flatMap(([id = '', , , , type]) => (type === 'MR' ? [id] : [])),
    hasNumber: numbers.length > 0 || [18, 19].some((field) => textOf(pid[field], reader) !== ''),
    familyName: textOf(pid[5], reader),
    birthDate: dateOf(birthDate) ?? birthDate,
    bed: bed === '""' ? '' : bed,
    isTraining: ['T', 'D'].includes(textOf(header[10], reader)) || names.some((name) => name.toUpperCase() === 'DEMO'),
    values: valuesOf(lines, textOf(header[6], reader), reader),
  };
}

/** Returns whether two names differ in capitals, accents, blanks, hyphens, apostrophes, periods and commas only. */
function isSameName(one: string, other: string): boolean {
  const letters = (name: string): string =>
    name
      .normalize('NFKD')
      .toUpperCase()
      .replace(/[\p{M}\s,;.·'`’\p{Pd}\p{Cf}]/gu, '');
  return letters(one) === letters(other) && letters(one) !== '';
}

/** Returns whether a date is that of a birth or its year, with its month or without, or says that it is not known. */
function isBirthOf(sent: string, birthDate: string): boolean {
  const [year, month] = birthDate.split('-');
  return ['', birthDate, year, `${year}${month}`].includes(sent) || /^(0{8}|00010101|9{8})/.test(sent);
}

/**
 * Returns whose values are taken of a message, by point 3: a patient who is named by MRN, has the birth date and the
 * family name that are sent, and is in the bed that is sent, if that bed is one of ours; without any number the one who
 * is in the bed. Null: nothing is taken.
 */
export function whoseOf(found: FoundPatient, ward: readonly KnownPatient[]): KnownPatient | null {
  const inBed = ward.find(({ bed }) => bed === found.bed && bed !== '');
  const named = ward.find(({ mrn }) => found.mrns.length > 0 && found.mrns.every((one) => one === mrn));
  const patient = found.hasNumber ? named : inBed;
  const isElsewhere = inBed !== undefined && patient?.bed !== '' && inBed !== patient;
  const isTheirs =
    patient !== undefined &&
    isBirthOf(found.birthDate, patient.birthDate) &&
    (found.familyName === '' || isSameName(found.familyName, patient.familyName));
  return found.isTraining || !isTheirs || isElsewhere ? null : patient;
}

/** Returns whether a message is taken at all: ORU^R01 of version 2 with a control id, from this MSH-3 and MSH-4. */
export function isTakenHeader(bytes: Uint8Array, [application, facility]: readonly string[]): boolean {
  const line =
    ascii(bytes)
      .trim()
      .split(/[\r\n]/)[0] ?? '';
  const fields = line.split(line[3] ?? '|').map((text) => text.trim());
  const [, , sendingApplication, sendingFacility, , , , , type = '', id = '', mode = '', version = ''] = fields;
  const [component = '^', repetition = '~', , subcomponent = '&'] = fields[1] ?? '';
  const part = (text: string, place = 0): string =>
    text.split(repetition)[0]?.split(component)[place]?.split(subcomponent)[0]?.trim() ?? '';
  return (
    sendingApplication === application &&
    sendingFacility === facility &&
    part(type) === 'ORU' &&
    part(type, 1) === 'R01' &&
    !['', '""'].includes(id) &&
    ['', 'P'].includes(part(mode)) &&
    /^(?:|2\.[1-9].*)$/.test(part(version))
  );
}
