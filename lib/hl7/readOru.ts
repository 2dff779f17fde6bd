import { isSuffix } from '../patients/names';
import { remember } from '../remember';
import type { EpochMs } from '../time/epochMs';
import { isCalendarDate } from '../time/parseInstant';
import type { Code } from './codes';
import { unescapeText } from './escapes';
import { componentsAt, repetitionsAt, textAt, type Message, type Segment } from './parseMessage';
import { parseTime, type SiteTime } from './parseTime';
import { numberIs, versionOne, type SenderSettings } from './senderSettings';

export interface Identifier {
  /** As it was sent, trimmed. */
  id: string;
  /** The namespace of the assigning authority and its universal id; none if neither is said. */
  authorities: string[];
  /** MR, PI ... ; '' if not said. */
  type: string;
  /** Of PID. */
  field: 2 | 3 | 4;
}

export interface OruPatient {
  /** PID-3 in its order, then PID-2 and PID-4. */
  identifiers: Identifier[];
  /**
   * Whether the message names a person by any number, account and insurance numbers (PID-18, PID-19) included, but for
   * those that the settings of the sender call absent. Only without may the bed decide.
   */
  hasIdentifier: boolean;
  /**
   * False: a line of the group's head is missing, damaged or doubled, so the patient may be another one than it seems,
   * or a number may be lost. Neither identifier nor bed may decide then.
   */
  isReadable: boolean;
  /** With its suffix, if PID-5.4 is one. */
  familyName: string | null;
  /** PID-5.2. */
  givenName: string | null;
  /** "1933-03-30" if PID-7 is a day, else what was sent. Null if nothing was, or what means that it is not known. */
  birthDate: string | null;
}

export interface ReadingTime {
  /** As it was sent; null if the message has no time for the value. */
  text: string | null;
  /**
   * Null if the text is no instant, or the line that had it may be damaged; an earlier field's unreadable time is not
   * replaced by a later one's.
   */
  at: EpochMs | null;
  field: 'OBX-14' | 'OBR-7' | 'MSH-7' | 'OBR-14' | null;
}

/** One OBX, read but not judged. */
export interface Observation {
  setId: string;
  code: Code;
  /** OBX-4, which tells probes of one code apart. */
  subId: string;
  valueType: string;
  /** A number of NM, or of SN without a comparison. Any other content is a text, whole. Null if empty or `""`. */
  value: number | string | null;
  unit: Code;
  /** OBX-11; F where the whole message leaves it out and the settings of the sender take that for final. */
  status: string;
  /** OBX-8, each repetition. */
  flags: string[];
  takenAt: ReadingTime;
  /** As `takenAt` without OBX-14: its own time may be that of what began before. Null: not said, or no instant. */
  reportedAt: EpochMs | null;
  /** OBX-18, else that of the device (MDS) row that contains the value by OBX-4; null if neither is said. */
  deviceId: string | null;
  /** The line's number in the message, from 1. */
  line: number;
  /** The number of the line of its OBR; null without one. */
  orderLine: number | null;
}

/** What a message says of one patient. */
export interface OruResult {
  patient: OruPatient;
  /** PV1-3 as it was sent, whole and trimmed. */
  bed: string | null;
  /** PV1-3.1, the sender's name for the unit. */
  unit: string | null;
  /** MSH-11 is T or D, or a part of the name is DEMO. */
  isTraining: boolean;
  /** MSH-7. Null: not said, or no instant. */
  sentAt: EpochMs | null;
  observations: Observation[];
}

/** Lines that may come between PID and the first result. Others mean that a line of the head was damaged. */
const headNames = new Set(['PD1', 'PRT', 'ARV', 'ROL', 'NK1', 'NTE', 'PV1', 'PV2', 'DB1', 'AL1', 'DG1', 'SFT', 'EVN']);
const orderNames = new Set(['ORC', 'OBR', 'TQ1', 'TQ2', 'CTD']);
/** Lines that come after results without a new patient. */
const resultNames = new Set(['OBX', 'NTE', 'SPM', 'FT1', 'CTI', 'DSC', 'PRT', 'TCD', 'SID']);
/** These belong to the head: after results they can only be another patient's, whose PID was lost. */
const newPatientNames = new Set(['PV1', 'PV2', 'PD1', 'NK1']);

/** A time as it was sent. `isLost`: there was one that a lost byte took away, so that no other field has it. */
interface SentTime {
  text: string | null;
  isLost: boolean;
}

const noTime: SentTime = { text: null, isLost: false };
const lostTime: SentTime = { text: null, isLost: true };

/** A group while it is read. */
interface Group {
  result: OruResult;
  hasOrder: boolean;
  hasResult: boolean;
  hasBed: boolean;
  /** A line after the results could not be read. If an order follows, the line may have been the next patient's PID. */
  isDoubtful: boolean;
  orderTime: SentTime;
  /** OBR-14. */
  arrivalTime: SentTime;
  orderLine: number | null;
  deviceOf: Map<string, string>;
}

/**
 * Reads an ORU^R01 into what it says of each patient, in order. Each PID begins a new patient, and nothing of one is
 * used for the next. If a line that may have been a PID is damaged, what follows is a patient that is not readable.
 * Without PID there is one patient without identifiers. Judges no code and no value. `settings`: what two people have
 * answered about the sender.
 */
export function readOru(message: Message, site: SiteTime, settings: SenderSettings = versionOne): OruResult[] {
  const groups: Group[] = [];
  const readTime = createTimeReader(message, { ...site, timeZone: settings.timeZone ?? site.timeZone });
  const missingStatus = settings.missingStatus === 'F' && hasNoStatus(message) ? 'F' : '';
  const isTrainingMessage = ['T', 'D'].includes(message.header.processingId);
  const begin = (isReadable: boolean): Group => {
    const group: Group = {
      result: {
        patient: {
          ...{ identifiers: [], hasIdentifier: false, isReadable },
          ...{ familyName: null, givenName: null, birthDate: null },
        },
        bed: null,
        unit: null,
        isTraining: isTrainingMessage,
        sentAt: readTime(noTime, noTime, noTime).at,
        observations: [],
      },
      hasOrder: false,
      hasResult: false,
      hasBed: false,
      isDoubtful: false,
      orderTime: noTime,
      arrivalTime: noTime,
      orderLine: null,
      deviceOf: new Map(),
    };
    groups.push(group);
    return group;
  };

  let group: Group | null = null;
  let isHeadDamaged = false;
  for (const segment of message.segments) {
    const { name } = segment;
    const all = fieldsOf(message, segment);
    const isSwallower = hasSwallowed(name, all, message.header.delimiters.component);
    if (name === 'MSH') {
      isHeadDamaged = isSwallower;
      continue;
    }
    if (name === 'PID') {
      group = begin(!isSwallower);
      readPatient(message, segment, group.result, settings);
      continue;
    }
    if (group === null && (name === null || (!newPatientNames.has(name) && !orderNames.has(name) && name !== 'OBX'))) {
      // A line before the first patient: the message's own, or a damaged PID.
      isHeadDamaged ||= isSwallower || name === null || !(headNames.has(name) || name.startsWith('Z'));
      continue;
    }
    group ??= begin(!isHeadDamaged);
    if (name !== null && newPatientNames.has(name) && (group.hasOrder || group.hasResult)) {
      group = begin(false);
    }
    if (name === 'OBR' || name === 'ORC') {
      if (group.isDoubtful) {
        group = begin(false);
      }
      group.hasOrder = true;
    }
    if (name === 'PV1') {
      if (group.hasBed) {
        group.result.patient.isReadable = false;
      }
      group.hasBed = true;
      readBed(message, segment, group.result);
    } else if (name === 'OBR') {
      group.orderTime = timeAt(message, segment, 7);
      group.arrivalTime = timeAt(message, segment, 14);
      group.orderLine = segment.line;
    } else if (name === 'OBX') {
      group.hasResult = true;
      const observation = readObservation(message, segment, group, readTime);
      observation.status ||= missingStatus;
      group.result.observations.push(observation);
    }
    const isExpected =
      name !== null &&
      (name.startsWith('Z') ||
        orderNames.has(name) ||
        (group.hasOrder || group.hasResult ? resultNames.has(name) : headNames.has(name) || name === 'OBX'));
    if (!isExpected || isSwallower) {
      if (!group.hasOrder && !group.hasResult) {
        group.result.patient.isReadable = false;
      } else if (isSwallower) {
        group = begin(false);
      } else {
        group.isDoubtful = true;
      }
    }
    if (!isExpected && !looksLikeObx(all)) {
      group.orderTime = lostTime;
    }
  }
  return groups.map(({ result }) => result);
}

/** Returns when a message said something: at the later of its own time and that of its report. Null: not known. */
export function saidAt({ takenAt: { at }, reportedAt }: Pick<Observation, 'takenAt' | 'reportedAt'>): EpochMs | null {
  return at === null || reportedAt === null ? (at ?? reportedAt) : Math.max(at, reportedAt);
}

/** Returns the fields of a line, also of one without a name. */
function fieldsOf(message: Message, { name, fields }: Segment): readonly string[] {
  return name === null ? (fields[0] ?? '').split(message.header.delimiters.field) : fields;
}

/** Types of the numbers of patients, accounts and visits (HL7 table 0203). */
const numberTypes = new Set(['MR', 'PI', 'PN', 'PT', 'AN', 'VN', 'SS', 'NI']);
/** Lines that begin a patient or an order. */
const heads = ['PID', 'PV1', 'ORC', 'OBR'];

/**
 * Returns whether a line whose end was lost has one of a patient's head, or of an order, as its tail. More than the end
 * may be lost between them: what follows may be another patient's. Names of people may end so too: in a PID the fields
 * behind have to be those of the tail.
 */
function hasSwallowed(name: string | null, fields: readonly string[], component: string): boolean {
  // The name of a PID may be lost as well: no result has the number of a patient, as "B-200^^^HOSP^MR".
  const gap = name === 'OBX' || name === null ? component.repeat(3) : null;
  return fields.some((text, index) => {
    // Each line is asked, and most of its fields are empty.
    if (text.length < 3 || index === 0 || index === fields.length - 1) {
      return false;
    }
    if (gap !== null && text.indexOf(gap) > 0 && numberTypes.has(text.slice(text.lastIndexOf(component) + 1))) {
      return true;
    }
    return name === 'PID'
      ? text.endsWith('PV1') ||
          (text.endsWith('PID') && (fields[index + 3] ?? '').length > 1) ||
          (text.endsWith('OBR') && /^\d{12}/.test(fields[index + 7] ?? ''))
      : heads.some((head) => text.endsWith(head));
  });
}

/** Types of values that monitors send. */
const valueTypes = new Set(['NM', 'SN', 'ST', 'TX', 'NA']);

/** Returns whether a line that cannot be read was an OBX, so that no time of an order is lost with it. */
function looksLikeObx(fields: readonly string[]): boolean {
  return fields.slice(1, 3).some((text) => valueTypes.has(text));
}

/** Returns whether no value of a message has a status. `""` is one, and so may a line that cannot be read have had. */
function hasNoStatus({ segments }: Message): boolean {
  return segments.every(({ name, fields }) => name !== null && (name !== 'OBX' || (fields[11]?.trim() ?? '') === ''));
}

/** Fields of PID with numbers that are no identifiers, and the types of these. */
const accountFields = [
  [18, 'AN'],
  [19, 'SS'],
] as const;

function readPatient(message: Message, segment: Segment, result: OruResult, settings: SenderSettings): void {
  const { patient } = result;
  for (const field of [3, 2, 4] as const) {
    for (const [index, [id, , , , type]] of repetitionsAt(message, segment, field).entries()) {
      const trimmed = id?.trim() ?? '';
      if (trimmed !== '') {
        const authorities = authoritiesAt(message, segment, { field, repetition: index + 1 });
        patient.identifiers.push({ id: trimmed, authorities, type: type?.trim() ?? '', field });
      }
    }
  }
  const accounts = accountFields
    .filter(([field]) => (textAt(message, segment, field)?.trim() ?? '') !== '')
    .map(([field, type]) => ({ type, authorities: authoritiesAt(message, segment, { field, repetition: 1 }), field }));
  patient.hasIdentifier = [...patient.identifiers, ...accounts].some((number) => numberIs(settings, number) !== 'none');
  const nameParts = repetitionsAt(message, segment, 5).flat();
  const familyName = valueOrNull(textAt(message, segment, 5));
  const suffix = valueOrNull(textAt(message, segment, 5, { component: 4 }));
  const isWithSuffix = familyName !== null && suffix !== null && isSuffix(suffix);
  patient.familyName = isWithSuffix ? `${familyName} ${suffix}` : familyName;
  patient.givenName = valueOrNull(textAt(message, segment, 5, { component: 2 }));
  patient.birthDate = birthDateOf(valueOrNull(textAt(message, segment, 7)));
  result.isTraining ||= nameParts.some((part) => part?.trim().toUpperCase() === 'DEMO');
}

/** An authority is "namespace&universal id&its type". */
function authoritiesAt(
  message: Message,
  segment: Segment,
  { field, repetition }: { field: number; repetition: number },
): string[] {
  return [1, 2].flatMap((subcomponent) => {
    const text = textAt(message, segment, field, { repetition, component: 4, subcomponent })?.trim() ?? '';
    return text === '' ? [] : [text];
  });
}

/** What programs write if they know no date: zeros, nines, and the first day that some can write. */
const unknownDate = /^(?:0{8}|00010101|9{8})/;

function birthDateOf(text: string | null): string | null {
  const match = /^(\d{4})(\d\d)(\d\d)/.exec(text ?? '');
  const date = match === null ? '' : `${match[1]}-${match[2]}-${match[3]}`;
  return unknownDate.test(text ?? '') ? null : isCalendarDate(date) ? date : text;
}

function readBed(message: Message, segment: Segment, result: OruResult): void {
  const whole = segment.fields[3]?.trim() ?? '';
  result.bed = whole === '' || whole === '""' ? null : whole;
  result.unit = result.bed === null ? null : valueOrNull(textAt(message, segment, 3));
}

const valueOrNull = (text: string | null | undefined): string | null => {
  const trimmed = text?.trim() ?? '';
  return trimmed === '' ? null : trimmed;
};

/** Many values of a message share one text; a zone's offset costs more than all else of a value. */
function createTimeReader(message: Message, site: SiteTime) {
  const zone = zoneOf(message.header.time.trim());
  const parse = remember((text: string): EpochMs | null => {
    const own = /[+-]/.test(text) ? '' : zone;
    return own === null ? null : parseTime(text + own, site);
  });
  const readAt = (field: ReadingTime['field'], { text, isLost }: SentTime): ReadingTime | null => {
    const said = valueOrNull(text);
    return said === null && !isLost ? null : { text: said, at: said === null ? null : parse(said), field };
  };
  const ofMessage = { text: message.header.time, isLost: false };
  return (own: SentTime, order: SentTime, arrival: SentTime): ReadingTime =>
    readAt('OBX-14', own) ??
    readAt('OBR-7', order) ??
    readAt('MSH-7', ofMessage) ??
    readAt('OBR-14', arrival) ?? { text: null, at: null, field: null };
}

/**
 * Returns the zone of MSH-7, which all times of the message without one have (HL7 v2.5.1 chapter 2, MSH-7); '' if there
 * is none. Null: there may have been one that a lost byte took away.
 */
export function zoneOf(time: string): string | null {
  const [, zone] = /^\d{8,14}(?:\.\d+)?([+-]\d{4})$/.exec(time) ?? [];
  const isLost = /^\d{15}|^\d{8}[\d.]*[+-]|^\d{8,14}\.(?:\d{5}|\d{7,8})$/.test(time);
  return zone ?? (isLost ? null : '');
}

/** A time in the field before has lost its place: monitors send none there. */
function timeAt(message: Message, segment: Segment, field: number): SentTime {
  const text = textAt(message, segment, field) ?? null;
  const isMoved = /^\d{12}/.test(segment.fields[field - 1]?.trim() ?? '');
  return valueOrNull(text) === null && isMoved ? lostTime : { text, isLost: false };
}

function readObservation(
  message: Message,
  segment: Segment,
  { orderTime, arrivalTime, orderLine, deviceOf }: Group,
  readTime: ReturnType<typeof createTimeReader>,
): Observation {
  const text = (field: number): string => textAt(message, segment, field)?.trim() ?? '';
  const valueType = text(2);
  const subId = text(4);
  const ownDevice = segment.fields[18]?.trim() ?? '';
  // PCD-01 numbers its rows "device.part.channel.value": a device's own row is 1.0.0.0.
  const [device = '', ...below] = subId.split('.');
  if (ownDevice !== '' && ownDevice !== '""' && below.length === 3 && below.every((part) => part === '0')) {
    deviceOf.set(device, ownDevice);
  }
  return {
    setId: text(1),
    code: codeAt(message, segment, 3),
    subId,
    valueType,
    value: valueAt(message, segment, valueType),
    unit: codeAt(message, segment, 6),
    status: text(11),
    flags: repetitionsAt(message, segment, 8).map(([flag]) => flag?.trim() ?? ''),
    takenAt: readTime(timeAt(message, segment, 14), orderTime, arrivalTime),
    reportedAt: readTime(noTime, orderTime, arrivalTime).at,
    deviceId:
      ownDevice !== '' && ownDevice !== '""' ? ownDevice : (deviceOf.get(below.length === 3 ? device : '') ?? null),
    line: segment.line,
    orderLine,
  };
}

function codeAt(message: Message, segment: Segment, field: number): Code {
  const parts = componentsAt(message, segment, field, 6).map((part) => part?.trim() ?? '');
  const [id = '', text = '', system = '', otherId = '', otherText = '', otherSystem = ''] = parts;
  const alternate = { id: otherId, text: otherText, system: otherSystem };
  return otherId === '' && otherText === '' ? { id, text, system } : { id, text, system, alternate };
}

function valueAt(message: Message, segment: Segment, valueType: string): number | string | null {
  const whole = segment.fields[5]?.trim() ?? '';
  if (whole === '' || whole === '""') {
    return null;
  }
  if (valueType === 'NM') {
    return parseNumber(whole) ?? whole;
  }
  if (valueType === 'SN') {
    const { repetition, component } = message.header.delimiters;
    const [comparator = '', number = '', ...more] = whole.split(component);
    const isPlain = !whole.includes(repetition) && ['', '='].includes(comparator) && more.every((part) => part === '');
    return (isPlain ? parseNumber(number.trim()) : null) ?? whole;
  }
  return unescapeText(whole, message.header.delimiters, message.charset);
}

/** Returns the number of an HL7 NM, or null: digits with a sign and a point, without exponent. */
function parseNumber(text: string): number | null {
  return /^[+-]?(?:\d{1,15}(?:\.\d{0,15})?|\.\d{1,15})$/.test(text) ? Number(text) : null;
}
