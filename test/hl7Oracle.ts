import { versionOne, type SenderSettings } from '../lib/hl7/senderSettings';

/**
 * A plain, slow reader of what docs/interfaces.md says of ORU^R01, by any answers about a sender. It shares nothing
 * with what reads in lib/hl7, and is made of `split` and regular expressions: tests compare what is taken of damaged
 * bytes with what it finds in them.
 */

/** A value as a text, so that lists of them can be compared: "spo2 97 good 2026-05-01T10:00:00.000Z". */
export type FoundValue = string;

/** What a message says of one patient. */
export interface FoundPatient {
  /** The numbers that the answers call MRNs. */
  mrns: string[];
  /** Whether it names someone by any number that the answers do not call absent. */
  hasNumber: boolean;
  familyName: string;
  givenName: string;
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
  givenName: string;
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

/** What the answers about a sender say of the values of one message. */
interface Answers extends SenderSettings {
  /** No value of the message has a status, and then they are final. */
  isFinal: boolean;
}

interface Reader {
  bar: string;
  component: string;
  repetition: string;
  subcomponent: string;
  /** Returns a text without its escapes. */
  plain: (text: string) => string;
}

type Decode = (bytes: Uint8Array) => string;

/** Sets in which a part of a character may look like a separator, and how the platform calls them. */
const multiByte = [
  ['ISO IR87', 'iso-2022-jp'],
  ['GB 18030-2000', 'gb18030'],
  ['BIG-5', 'big5'],
  ['KS X 1001', 'euc-kr'],
] as const;

/** Japanese that never switches may be UTF-8. */
const decodeAs =
  (label: string): Decode =>
  (bytes) =>
    new TextDecoder(label === 'iso-2022-jp' && !bytes.includes(0x1b) ? 'utf-8' : label, { ignoreBOM: true }).decode(
      bytes,
    );

/** Returns whether bytes are not of the set that they were decoded by, so that separators may be lost. */
const isMisread = (text: string, name: string): boolean =>
  multiByte.some(([known]) => known === name)
    ? /[\u0080-\u009f\ufffd]/.test(text) || ['\u000e', '\u000f', '\u001b'].some((sign) => text.includes(sign))
    : text.includes('\u001b$');

function decoderOf(name: string): Decode | null {
  const [, label] = multiByte.find(([known]) => known === name) ?? [];
  if (label !== undefined) {
    return decodeAs(label);
  }
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
  offset: number;
}

const unit = (ids: string, names: string, factor = 1, offset = 0): Unit => ({
  ids: ids.split(' '),
  names: names.split(', '),
  factor,
  offset,
});
const convert = (number: number, { factor, offset }: Unit): number =>
  Math.round((number * factor + offset) * 10_000) / 10_000;
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
const temperatures = [
  unit('268192 0004-17a0', 'Cel, degC, °C, C, MDC_DIM_DEGC'),
  unit('266560 0004-1140', '[degF], degF, °F, F, MDC_DIM_FAHR', 5 / 9, -160 / 9),
  unit('', 'K', 1, -273.15),
];
/** Those of kinds that are not in the messages: they contradict as well. */
const others = [
  ...[unit('263872 0004-06c0', 'g, MDC_DIM_G'), unit('263875 0004-06c3', 'kg, MDC_DIM_KILO_G')],
  ...[unit('263904 0004-06e0', '[lb_av], lb, MDC_DIM_LB'), unit('265216 0004-0c00', 'L/min, l/min, MDC_DIM_L_PER_MIN')],
  unit('265234 0004-0c12', 'mL/min, ml/min, MDC_DIM_MILLI_L_PER_MIN'),
];
const allUnits = [percent, fraction, none, beats, breaths, ...pressures, ...temperatures, ...others];

/** What is a signal of a patient: anything else is none (clinical.md section 00, A6). */
const kinds: Record<string, { to: number; signalFrom: number; units: Unit[] }> = {
  spo2: { to: 100, signalFrom: 1, units: [percent, fraction] },
  heartRate: { to: 300, signalFrom: 0, units: [beats] },
  pulseRate: { to: 300, signalFrom: 20, units: [beats] },
  respiratoryRate: { to: 150, signalFrom: 0, units: [breaths] },
  temperature: { to: 46, signalFrom: 10, units: temperatures },
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

interface Kind {
  kind: string;
  isPhilipsPerf: boolean;
  /** The triplet that says it, if its text is another one than the name of its number. */
  label: string[] | null;
}

/** Returns the kind of a code by the first triplet that has one, unless the other is of something else. */
function kindOf(parts: string[], isCore: boolean): Kind | null {
  const hasSecond = parts[3] !== '' || parts[4] !== '';
  const triplets = hasSecond ? [parts.slice(0, 3), parts.slice(3)] : [parts.slice(0, 3)];
  const found = triplets.map(codeIn);
  const isOfOther = (kind: string): boolean =>
    triplets.some(([id = '', , system]) => system === 'LN' && loinc[id]?.includes(kind) === false);
  if (isCore && isSomeTemperature(parts)) {
    return hasSecond && (found[1] !== null || isOfOther('temperature'))
      ? null
      : { kind: 'temperature', isPhilipsPerf: false, label: null };
  }
  const [by] = found.flatMap((code, place) => (code === null || code === 'other' ? [] : [{ code, place }]));
  const known = by?.code;
  const isOther = ({ kind }: { kind: string }): boolean =>
    found.some((code) => code === 'other' || (code !== null && code.kind !== kind)) || isOfOther(kind);
  if (by === undefined || known === undefined || isOther(known)) {
    return null;
  }
  const triplet = triplets[by.place] ?? [];
  const isOwn = ['', known.name.toLowerCase()].includes((triplet[1] ?? '').toLowerCase());
  return { kind: known.kind, isPhilipsPerf: known.name === 'Perf', label: isOwn ? null : triplet };
}

/** What people call the kinds, without marks, blanks, and the side or the number of a probe. */
const plainNames: Record<string, readonly string[]> = {
  ...{ spo2: ['spo2'], heartRate: ['heartrate', 'hr', 'ecghr'], pulseRate: ['pulse', 'pulserate', 'pr'] },
  ...{ respiratoryRate: ['resp', 'rr', 'awresp'], perfusionIndex: ['perf', 'pi'], temperature: ['temp'] },
  ...{ systolic: ['systolic', 'sys', 'nibpsys'], diastolic: ['diastolic', 'dia', 'nibpdia'] },
};

/** Returns whether a text means its kind; null: that has to be asked about. */
function isMeant(kind: string, label: string[], { texts }: Answers): boolean | null {
  const answer = texts?.find(({ code }) => [code.id, code.text, code.system].every((part, at) => part === label[at]));
  const words =
    (label[1] ?? '')
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  const name = words.filter((word) => !/^(?:left|right|[12])$/.test(word)).join('');
  const isPlain = plainNames[kind]?.includes(name) ?? false;
  return answer?.isMeant ?? (texts === null || isPlain ? true : null);
}

/** MDC_TEMP says not of what. */
function isSomeTemperature([id, name = '', system]: string[]): boolean {
  const upper = name.toUpperCase();
  const ofSystem = codes.filter((code) => code.system === 'MDC');
  const isLabel = codeIn(['', name, 'L']) === null && !ofSystem.some((code) => code.name === upper);
  return id === '150344' && system === 'MDC' && (upper === 'MDC_TEMP' || isLabel);
}

/** Returns the unit of a value, or null if it is not taken for the kind. */
function unitIn(parts: string[], { kind, isPhilipsPerf }: Kind, given: string): Unit | null {
  const sent = [0, 1, 3, 4].flatMap((place) => {
    const [word = '', system = ''] = [parts[place], parts[place < 3 ? 2 : 5]];
    return word === '' ? [] : [{ word, system, isNumber: place % 3 === 0 && ['MDC', 'MDIL'].includes(system) }];
  });
  const words = given === '' ? sent : [{ word: given, system: '', isNumber: false }, ...sent];
  if (words.length === 0) {
    return isPhilipsPerf ? none : null;
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
  return taken === undefined || differs ? null : taken;
}

/** Returns the number that a value is, or null if it is a text or nothing. */
function numberOf(text: string, type: string, { component, repetition }: Reader): number | null {
  const [comparator = '', structured = '', ...more] = text.split(component);
  const isPlain = ['', '='].includes(comparator) && more.join('') === '' && !text.includes(repetition);
  const number = type === 'NM' ? text : type === 'SN' && isPlain ? structured.trim() : '';
  return /^[+-]?(?:\d{1,15}(?:\.\d{0,15})?|\.\d{1,15})$/.test(number) ? Number(number) : null;
}

/** Returns what an OBX says of a vital sign, or null if nothing of it is taken. */
function valueOf(fields: string[], time: string, reader: Reader, answers: Answers): FoundValue | null {
  const parts = (field: number): string[] => [1, 2, 3, 4, 5, 6].map((place) => textOf(fields[field], reader, place));
  const sent = parts(3);
  const known = kindOf(sent, answers.coreTemperatures.includes(textOf(fields[4], reader)));
  const at = known === null ? null : instantOf(time);
  const meant = known === null || known.label === null ? true : isMeant(known.kind, known.label, answers);
  if (known === null || at === null || meant === false) {
    return null;
  }
  const flags = repetitionsOf(fields[8], reader).map(([flag = '']) => flag);
  const status = textOf(fields[11], reader) || (answers.isFinal ? 'F' : '');
  if (flags.some((flag) => ['TEST', 'DEMO'].includes(flag))) {
    return null;
  }
  if (['NA', 'MA'].includes(textOf(fields[2], reader))) {
    return null;
  }
  const { kind } = known;
  const found = (what: string): FoundValue => [kind, what, at].join(' ');
  if (/^[DW]$/.test(status)) {
    return found('withdrawn');
  }
  if (!/^[XNFRPSC]$/.test(status) || meant === null) {
    return null;
  }
  const number = numberOf(fields[5]?.trim() ?? '', textOf(fields[2], reader), reader);
  if (/^[XN]$/.test(status) || number === null || number < 0 || number === 32_767 || flags.includes('NAV')) {
    return found('no signal');
  }
  const isThis = ({ code: { id, text, system } }: SenderSettings['sentinels' | 'missingUnits'][number]): boolean =>
    [id, text, system].every((part, place) => part === sent[place]);
  if (answers.sentinels.some((one) => isThis(one) && one.values.includes(number))) {
    return found('no signal');
  }
  const isUnitSent = [0, 1, 3, 4].some((place) => parts(6)[place] !== '');
  const [hasSecond, unitParts] = [parts(6)[3] !== '' || parts(6)[4] !== '', parts(6)];
  const unitText = isUnitSent ? (hasSecond ? unitParts : unitParts.slice(0, 3)).join('^').replace(/\^+$/, '') : '';
  const given = answers.missingUnits.find((one) => isThis(one) && (one.sent ?? '') === unitText)?.unit ?? '';
  const taken = unitIn(unitParts, known, given);
  const facts = kinds[kind];
  if (facts === undefined) {
    return null;
  }
  const isSignal = (one: number): boolean => one >= facts.signalFrom && one <= facts.to;
  if (taken === null) {
    const isSaid = isUnitSent || given !== '';
    return isSaid || facts.units.some((one) => isSignal(number * one.factor + one.offset)) ? null : found('no signal');
  }
  const value = convert(number, taken);
  if (!isSignal(value) || (answers.isZeroRateNoSignal && kind === 'heartRate' && value === 0)) {
    return found('no signal');
  }
  const quality = flags.some((flag) => ['INV', 'CAL'].includes(flag))
    ? 'invalid'
    : flags.includes('QUES')
      ? 'questionable'
      : 'good';
  return found(`${value} ${quality}`);
}

const looksLikeTime = (field = ''): boolean => /^\d{12}/.test(field.trim());

/** The zones of the answers, which do not change their offsets. */
const offsets: Record<string, string> = { 'Asia/Kathmandu': '+0545', UTC: '+0000' };

/** Returns the values of a patient's lines, with the time of each. */
function valuesOf(lines: string[], messageTime: string, reader: Reader, answers: Answers): FoundValue[] {
  const values: FoundValue[] = [];
  const zone = /^\d{8,14}(?:\.\d+)?([+-]\d{4})$/.exec(messageTime)?.[1] ?? '';
  const ownZone = zone === '' ? (offsets[answers.timeZone ?? 'UTC'] ?? 'unknown') : zone;
  // A sign or a digit of it was lost: too many digits, a sign before too few, or a fraction that may end with it.
  const [, fraction = ''] = /^\d{8,14}\.(\d+)$/.exec(messageTime) ?? [];
  const isZoneLost =
    zone === '' && (/^\d{15}|^\d{8}[\d.]*[+-]/.test(messageTime) || [5, 7, 8].includes(fraction.length));
  const inZone = (text: string): string => (/[+-]/.test(text) ? text : isZoneLost ? 'lost' : `${text}${ownZone}`);
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
      const value = valueOf(fields, inZone(said), reader, answers);
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
 * Returns what a frame says of each patient whose lines are surely theirs, by the answers about its sender; null if it
 * is no message (MSH-1, MSH-2, MSH-18, a second MSH). Times without a zone are of that of MSH-7, else of the answers,
 * else UTC.
 */
export function patientsIn(bytes: Uint8Array, settings: SenderSettings = versionOne): FoundPatient[] | null {
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
  const setIn = (line: string): string => {
    const sent = line.split(bar)[17] ?? '';
    const isSaid = sent.split(asciiReader.repetition).some((one) => textOf(one, asciiReader) !== '');
    return isSaid ? textOf(sent, asciiReader).toUpperCase() : settings.charset;
  };
  // A character before MSH-18 may hold what looks like a separator: then its own set finds MSH-18.
  const [firstBytes = ''] = latin1(bytes)
    .split(/[\r\n]+/)
    .filter((line) => line !== '');
  const isAscii = !first.includes('\ufffd') && !first.includes('\u001b');
  const [hidden] = multiByte.filter(
    ([name, label]) => !isAscii && setIn(decodeAs(label)(Buffer.from(firstBytes, 'latin1'))) === name,
  );
  const set = hidden?.[0] ?? setIn(first);
  const decode = decoderOf(set);
  if (decode === null || isMisread(decode(bytes), set)) {
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
  const isNamed = (line: string): boolean => /^[A-Z][A-Z0-9]{2}/.test(line) && [bar, undefined].includes(line[3]);
  const hasNoStatus = lines.every(
    (line) => isNamed(line) && (!line.startsWith('OBX') || (line.split(bar)[11] ?? '').trim() === ''),
  );
  const answers = { ...settings, isFinal: settings.missingStatus === 'F' && hasNoStatus };
  const starts = kindsOfLines.flatMap((letter, index) => (/^[MP]/.test(letter) ? [index] : []));
  return starts.flatMap((start, index) => {
    const end = starts[index + 1] ?? lines.length;
    const [taken = ''] = ofPatient.exec(kindsOfLines.slice(start, end).join('')) ?? [];
    const own = lines.slice(start, start + taken.length);
    return own.some((line) => letterOf(line, reader).startsWith('X')) ? [patientOf(own, header, reader, answers)] : [];
  });
}

interface SentNumber {
  id: string;
  type: string;
  authorities: string[];
  field: number;
}

/** Returns the numbers in a field of PID. */
function numbersIn(text: string | undefined, field: number, reader: Reader): SentNumber[] {
  const plain = (raw = ''): string => (raw === '""' ? '' : reader.plain(raw).trim());
  return text === undefined || text === '""'
    ? []
    : text.split(reader.repetition).map((one) => {
        const parts = one.split(reader.component);
        const authorities = (parts[3] ?? '').split(reader.subcomponent).slice(0, 2).map(plain);
        return {
          ...{ id: plain(parts[0]), type: plain(parts[4]), field },
          authorities: authorities.filter((name) => name !== ''),
        };
      });
}

/** Returns what a number is by the answers: where two name it, it is an MRN, and without a type only in PID-3. */
function whatIs({ type, authorities, field }: SentNumber, { identifiers }: SenderSettings): 'mrn' | 'none' | 'other' {
  const isOf = (authority: string | null): boolean =>
    authority === null || (authority === '' ? authorities.length === 0 : authorities.includes(authority));
  const found = identifiers.filter((rule) => rule.type === type && isOf(rule.authority)).map((rule) => rule.is);
  if (found.includes('mrn')) {
    return type === '' && field !== 3 ? 'other' : 'mrn';
  }
  return found.includes('none') ? 'none' : 'other';
}

function patientOf(lines: string[], header: string[], reader: Reader, answers: Answers): FoundPatient {
  const fieldsOf = (letter: string): string[] =>
    lines.find((line) => letterOf(line, reader).startsWith(letter))?.split(reader.bar) ?? [];
  const pid = fieldsOf('P');
  const numbers = [3, 2, 4].flatMap((field) => numbersIn(pid[field], field, reader)).filter(({ id }) => id !== '');
  const accounts = [18, 19].flatMap((field) =>
    numbersIn(pid[field], field, reader)
      .slice(0, textOf(pid[field], reader) === '' ? 0 : 1)
      .map((one) => ({ ...one, type: field === 18 ? 'AN' : 'SS' })),
  );
  const names = repetitionsOf(pid[5], reader).flat();
  const birthDate = textOf(pid[7], reader);
  const bed = fieldsOf('V')[3]?.trim() ?? '';
  return {
    mrns: numbers.filter((one) => whatIs(one, answers) === 'mrn').map(({ id }) => id),
    hasNumber: [...numbers, ...accounts].some((one) => whatIs(one, answers) !== 'none'),
    familyName: textOf(pid[5], reader),
    givenName: textOf(pid[5], reader, 2),
    birthDate: dateOf(birthDate) ?? birthDate,
    bed: bed === '""' ? '' : bed,
    isTraining: ['T', 'D'].includes(textOf(header[10], reader)) || names.some((name) => name.toUpperCase() === 'DEMO'),
    values: valuesOf(lines, textOf(header[6], reader), reader, answers),
  };
}

/** Latin letters that are one letter and a stroke, or two letters in one. */
const plainLetters: Record<string, string> = { Ø: 'O', Ð: 'D', Đ: 'D', Ł: 'L', Ħ: 'H', Ŧ: 'T', Æ: 'AE', Œ: 'OE' };

/** Returns the letters of a name: no accents, blanks, hyphens, apostrophes, periods and commas. */
const lettersOf = (name: string): string =>
  name
    .normalize('NFKD')
    .toUpperCase()
    .replace(/[\p{M}\s,;.·'`’\u0640\p{Pd}\p{Cf}]/gu, '')
    .replaceAll(/[ØÐĐŁĦŦÆŒ]/g, (letter) => plainLetters[letter] ?? letter);

/** Returns whether two names differ in capitals, accents, blanks, hyphens, apostrophes, periods and commas only. */
const isSameName = (one: string, other: string): boolean =>
  lettersOf(one) === lettersOf(other) && lettersOf(one) !== '';

/** Returns whether two names may begin alike. One with a lost letter begins like none. */
const isSameInitial = (one: string, other: string): boolean =>
  lettersOf(one)[0] === lettersOf(other)[0] && /^[^?¿\ufffd]*\p{L}[^?¿\ufffd]*$/u.test(lettersOf(one));

/** Returns whether a date is that of a birth or its year, with its month or without, or says that it is not known. */
function isBirthOf(sent: string, birthDate: string): boolean {
  const [year, month] = birthDate.split('-');
  return ['', birthDate, year, `${year}${month}`].includes(sent) || /^(0{8}|00010101|9{8})/.test(sent);
}

/**
 * Returns whose values are taken of a message, by point 3 and the answers: a patient who is named by MRN, has the birth
 * date and the names that are sent, and enough of them, and is in the bed that is sent, if that bed is one of ours;
 * without any number the one who is in the bed, if beds may decide. Null: nothing is taken.
 */
export function whoseOf(
  found: FoundPatient,
  ward: readonly KnownPatient[],
  { bedRoute, beside }: SenderSettings = versionOne,
): KnownPatient | null {
  const inBed = ward.find(({ bed }) => bed === found.bed && bed !== '');
  const named = ward.find(({ mrn }) => found.mrns.length > 0 && found.mrns.every((one) => one === mrn));
  const patient = found.hasNumber ? named : bedRoute ? inBed : undefined;
  const isElsewhere = inBed !== undefined && patient?.bed !== '' && inBed !== patient;
  const isTheirs =
    patient !== undefined &&
    isBirthOf(found.birthDate, patient.birthDate) &&
    (found.familyName === '' || isSameName(found.familyName, patient.familyName));
  const isEnough =
    beside === 'asSent' ||
    ((found.givenName === '' || isSameInitial(found.givenName, patient?.givenName ?? '')) &&
      (!found.hasNumber ||
        found.birthDate === patient?.birthDate ||
        (found.familyName !== '' && found.givenName !== '')));
  return found.isTraining || !isTheirs || !isEnough || isElsewhere ? null : patient;
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
