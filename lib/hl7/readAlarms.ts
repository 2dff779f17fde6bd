import type { Priority } from '../alerts/priority';
import { inactivations, type HeardAlarm } from '../deviceAlarms/heardAlarm';
import { toPlainLine } from '../plainText';
import type { EpochMs } from '../time/epochMs';
import { kinds } from '../vitals/kinds';
import { codeRow, type Code } from './codes';
import { repetitionsAt, textAt, type Message, type Segment } from './parseMessage';
import { saidAt, type Observation, type OruResult } from './readOru';

const longestText = 120;
const longestCode = 60;
/** An id with its namespace has up to 430 characters. */
const longestKey = 500;
const dayMs = 86_400_000;

/** The system of the alarm texts of Philips' information centre. */
const philipsSystem = 'MDIL-ALERT';

/**
 * The kinds of Philips' alarm texts by number. One to three stars before a text are its priority; INOPs are technical
 * alarms.
 */
const philipsKinds: Readonly<Record<string, { priority: Priority; isTechnical: boolean }>> = {
  1: { priority: 'high', isTechnical: false },
  2: { priority: 'medium', isTechnical: false },
  3: { priority: 'low', isTechnical: false },
  5: { priority: 'low', isTechnical: true },
  6: { priority: 'low', isTechnical: true },
};

/** Returns whether a code of an ORU^R01 is that of an alarm text. */
export function isAlarmCode({ system }: Code): boolean {
  return system === philipsSystem;
}

/** Returns whether a message reports alarms as events (ORU^R40, IHE PCD-04). Its numbers are theirs and no values. */
export function isAlarmReport(message: Message): boolean {
  return message.header.type.trigger === 'R40';
}

/**
 * Reads the alarms of devices from what a message says of each patient: each alarm text of an ORU^R01, and each OBR of
 * an ORU^R40 with its lines. Empty texts are no alarm. Judges nothing. Returns a list for each of `results`, in time
 * linear in the message.
 */
export function readAlarms(
  message: Message,
  results: readonly Pick<OruResult, 'observations' | 'sentAt'>[],
): HeardAlarm[][] {
  if (!isAlarmReport(message)) {
    return results.map(({ observations }) => observations.flatMap(textAlarmOf));
  }
  const segments = new Map(message.segments.map((segment) => [segment.line, segment]));
  return results.map(({ observations, sentAt }) => {
    const orders = new Map<number, Line[]>();
    for (const observation of observations) {
      const segment = segments.get(observation.line);
      if (observation.orderLine !== null && segment !== undefined) {
        const lines = orders.get(observation.orderLine) ?? [];
        lines.push({ observation, segment });
        orders.set(observation.orderLine, lines);
      }
    }
    return [...orders].flatMap(([line, lines]) => {
      const order = segments.get(line);
      return order === undefined ? [] : eventOf(message, order, lines, sentAt);
    });
  });
}

function textAlarmOf(observation: Observation): HeardAlarm[] {
  const { code, value, takenAt } = observation;
  const text = plain(typeof value === 'string' ? value : '', longestText);
  if (!isAlarmCode(code) || text === '') {
    return [];
  }
  const kind = philipsKinds[code.id] ?? { priority: null, isTechnical: false };
  const name = plain(code.text === '' ? code.id : code.text, longestCode);
  return [
    {
      ...{ key: keyOf(`${code.id} ${withoutNumbers(text)}`), code: name, text, ...kind },
      ...{ inactivation: null, isEvent: false, isEnded: false, at: saidAt(observation), startedAt: takenAt.at },
    },
  ];
}

interface Line {
  observation: Observation;
  segment: Segment;
}

/** The parts of an alarm by the numbers of MDC; the second ones are those of devices from before 2012. */
const phaseCodes = ['68481', '68165'];
const stateCodes = ['68482', '68166'];
const inactivationCodes = ['68483', '68167'];
const priorityCodes = ['68484', '68168'];
const typeCodes = ['68485'];
const textCodes = ['68546'];
/** Event codes whose value is the quantity that left its limits. */
const limitWords: Readonly<Record<string, string>> = { 196648: 'high', 196670: 'low' };
const alarmCode = '196616';

const priorityOf: Readonly<Record<string, Priority>> = { PH: 'high', PM: 'medium', PL: 'low' };

/** An alarm consists of numbered lines: OBX-4 "1.0.0.0.3" is the third one, which has the phase. */
function eventOf(message: Message, order: Segment, lines: readonly Line[], sentAt: EpochMs | null): HeardAlarm[] {
  const first = lines.find(
    ({ observation: { code, subId } }) =>
      code.id === alarmCode || code.id in limitWords || /^[^.]*(?:\.[^.]*){3}\.1$/.test(subId),
  );
  if (first === undefined) {
    return [];
  }
  const words = (ids: readonly string[]): string => {
    const line = lines.find(({ observation }) => ids.includes(observation.code.id));
    return line === undefined ? '' : plain(textAt(message, line.segment, 5) ?? '', longestCode);
  };
  const flags = repetitionsAt(message, first.segment, 8).map(([flag]) => flag?.trim() ?? '');
  const priority = [words(priorityCodes), ...flags]
    .map((word) => priorityOf[word])
    .find((known) => known !== undefined);
  const type = [words(typeCodes), ...flags].find((word) => ['SP', 'ST', 'SA'].includes(word));
  const { code, text } = wordsOf(message, first, lines);
  const id = idOf(message, order);
  const { takenAt, reportedAt } = first.observation;
  const said = saidAt(first.observation);
  // Some repeat the time of the beginning for days.
  const isOld = said !== null && sentAt !== null && sentAt - said > dayMs;
  const inactivation = words(inactivationCodes);
  return [
    {
      key: keyOf(id === null ? `${code} ${withoutNumbers(text)}` : `event ${id}`),
      ...{ code, text, priority: priority ?? null, isTechnical: type === 'ST' },
      inactivation: inactivations.find((known) => known === inactivation) ?? null,
      isEvent: true,
      isEnded: ['end', 'tpoint'].includes(words(phaseCodes)) || words(stateCodes) === 'inactive',
      at: isOld ? sentAt : said,
      startedAt: takenAt.at === null || reportedAt === null ? takenAt.at : Math.min(takenAt.at, reportedAt),
    },
  ];
}

/**
 * Returns the id of an event with its namespace, "E1^ICU": the first message of an alarm is the parent of those that
 * follow. A parent without a namespace, or with a part of it, is of the namespace of the message's own id. Null: none.
 */
function idOf(message: Message, order: Segment): string | null {
  const part = (field: number, component: number, subcomponent = 1): string =>
    textAt(message, order, field, { component, subcomponent })?.trim() ?? '';
  const places = [1, 2, 3, 4];
  const [ownId = '', ...own] = places.map((component) => part(3, component));
  const [parent = []] = [2, 1]
    .map((component) => places.map((subcomponent) => part(29, component, subcomponent)))
    .filter(([id]) => id !== '');
  const [id = ownId, ...namespace] = parent;
  const isOwn = namespace.every((text, index) => text === '' || text === own[index]);
  const parts = [id, ...(isOwn ? own : namespace)];
  return id === '' ? null : parts.join('^').replace(/\^+$/, '');
}

/** Returns the device's code of an event, and its words: its own text before the name of the code. */
function wordsOf(message: Message, { observation, segment }: Line, lines: readonly Line[]) {
  const part = (component: number): string => plain(textAt(message, segment, 5, { component }) ?? '', longestText);
  const [value, name, original] = [part(1), part(2), part(9)];
  const own = lines.find((line) => textCodes.includes(line.observation.code.id));
  const ownText = own === undefined ? '' : plain(textAt(message, own.segment, 5) ?? '', longestText);
  const eventName = plain(observation.code.text === '' ? observation.code.id : observation.code.text, longestCode);
  const word = limitWords[observation.code.id];
  const known = codeRow({ id: value, text: name, system: part(3) });
  const subject =
    [ownText, original, known === null ? '' : kinds[known.kind].label, name, value].find((text) => text !== '') ??
    eventName;
  return {
    code: word === undefined && name !== '' ? plain(name, longestCode) : eventName,
    text: plain(word === undefined ? wordsOfName(subject) : `${wordsOfName(subject)} ${word}`, longestText),
  };
}

/** Returns "Lead off" of MDC_EVT_LEAD_OFF, and any other text as it is. */
function wordsOfName(text: string): string {
  const name = /^MDCX?_(?:EVT_)?([A-Z0-9_]+)$/.exec(text)?.[1];
  return name === undefined ? text : `${name.slice(0, 1)}${name.slice(1).replaceAll('_', ' ').toLowerCase()}`;
}

/**
 * One line, without the spaces with which devices fill their screens, and without invisible marks: some turn the
 * direction of what follows, also of our own words. A number that is cut would be another one, so a cut is marked.
 */
function plain(text: string, longest: number): string {
  const line = toPlainLine(text)
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return line.length <= longest ? line : `${line.slice(0, longest - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** What a number measures stays: SpO2 and V4 are names. */
function withoutNumbers(text: string): string {
  return text.replaceAll(/(?<![A-Za-z\d])\d+(?:[.,]\d+)?/g, '#');
}

/** In a form that both engines store as it is. */
function keyOf(text: string): string {
  return plain(text, longestKey);
}
