import { codeRow } from '../hl7/codes';
import type { SeenStructure } from '../hl7/seenStructure';
import { senderSettings, type SenderSettings } from '../hl7/senderSettings';
import { kinds } from '../vitals/kinds';

/** What two people are asked about a sender. */
export const settingsQuestions = {
  identifiers: 'Which number is the MRN',
  beside: 'What has to agree beside the MRN',
  bedRoute: 'Messages without a patient number',
  timeZone: 'Time zone of times without an offset',
  charset: 'Character set if MSH-18 is empty',
  missingStatus: 'Messages without OBX-11',
  texts: 'Texts beside known codes (OBX-3)',
  missingUnits: 'Values without a known unit (OBX-6)',
  coreTemperatures: 'Temperatures under 150344 (MDC_TEMP)',
  sentinels: 'Values that mean “no signal”',
  isZeroRateNoSignal: 'ECG heart rate of 0',
  quarantine: 'Answer to messages in quarantine',
} as const satisfies Record<keyof SenderSettings, string>;

/** The questions in the order of the screen. */
export const questionNames = senderSettings.keyof().options;

/** Says which numbers of PID a rule is about: "PI of Hospital", "Without a type". */
function numberWords({ type, authority }: { type: string; authority: string | null }): string {
  const of = authority === null ? ' of the site’s authorities' : authority === '' ? '' : ` of ${authority}`;
  return `${type === '' ? 'Without a type' : type}${of}`;
}

/** Says what a number is: "PI of Hospital is the MRN". */
export const identifierWords = (rule: SenderSettings['identifiers'][number]): string =>
  `${numberWords(rule)} ${rule.is === 'mrn' ? 'is the MRN' : 'counts as absent'}`;
export const sentinelWords = ({ code, values }: SenderSettings['sentinels'][number]): string =>
  `${values.join(', ')} under ${codeWords(code)}`;
export const textWords = ({ code, isMeant }: NonNullable<SenderSettings['texts']>[number]): string => {
  const row = codeRow(code);
  const meant = row === null ? 'its number' : kinds[row.kind].label;
  return `${code.id} comes with the text “${code.text}”: it ${isMeant ? `means ${meant}` : 'is no value'}`;
};
export const unitWords = ({ code, sent = '', unit }: SenderSettings['missingUnits'][number]): string =>
  sent === '' ? `${codeWords(code)} is in ${unit}` : `${codeWords(code)} in “${sent}” is in ${unit}`;
export const besideWords = {
  second: 'All that is sent; a birth date, or family name and first initial, has to be sent',
  asSent: 'Family name and birth date, if they are sent: the MRN alone is enough',
} as const;
export const statusWords = { F: 'Treat as final', noValue: 'Do not use' } as const;
export const quarantineWords = {
  AE: 'AE',
  AA_WARNING: 'AA with a warning (ERR)',
  AA: 'AA',
} as const;

/** Says which code is meant: "150456 MDC_PULS_OXIM_SAT_O2 MDC". */
const codeWords = ({ id, text, system }: { id: string; text: string; system: string }): string =>
  [id, text, system].filter((part) => part !== '').join(' ');
const listed = (words: readonly string[], none: string): string => (words.length === 0 ? none : words.join('; '));

/** Says what the first messages of a sender look like, a line each. */
export function seenWords(seen: SeenStructure): string[] {
  const { messages, identifiers, codes, people, beds, zones, charsets, notUtf8, withoutStatus } = seen;
  if (messages === 0) {
    return ['No message since the server started'];
  }
  const counted = (words: string, count: number): string => `${words === '' ? 'empty' : words} (${count})`;
  const list = (items: readonly string[]): string => (items.length === 0 ? 'none' : items.join(', '));
  const ofPeople =
    `family name in ${people.familyNames}, given name in ${people.givenNames}, ` +
    `birth date in ${people.birthDates} of ${people.all}`;
  return [
    `Messages: ${messages}${withoutStatus === 0 ? '' : `, ${withoutStatus} without OBX-11`}`,
    `Numbers: ${list(identifiers.map((one) => counted(`${numberWords(one)} in PID-${one.field}`, one.count)))}`,
    `Patients: ${ofPeople}`,
    `Beds like: ${list(beds.map(({ shape, count }) => counted(shape, count)))}`,
    `Zone of MSH-7: ${list(zones.map(({ zone, count }) => counted(zone, count)))}`,
    `MSH-18: ${list(charsets.map(({ charset, count }) => counted(charset, count)))}` +
      (notUtf8 === 0 ? '' : `, ${notUtf8} not UTF-8`),
    `Codes: ${list(
      codes.map(({ unit, isKnown, count, ...code }) => {
        const words = `${codeWords(code)}${isKnown ? '' : ', not known'}, ${unit === '' ? 'no unit' : unit}`;
        return counted(words, count);
      }),
    )}`,
  ];
}

/** Says what is answered. */
export function answerWords(settings: SenderSettings): Record<keyof SenderSettings, string> {
  const { identifiers, sentinels, texts, missingUnits, coreTemperatures } = settings;
  const { partly, wholly } = settings.quarantine;
  return {
    identifiers: listed(identifiers.map(identifierWords), 'None: all values go to quarantine'),
    beside: besideWords[settings.beside],
    bedRoute: settings.bedRoute ? 'The bed decides, if two people have mapped it' : 'Go to quarantine',
    timeZone: settings.timeZone ?? 'That of the site',
    charset: settings.charset === '' ? 'UTF-8' : settings.charset,
    missingStatus: statusWords[settings.missingStatus],
    texts:
      texts === null
        ? 'Never asked: any text is taken'
        : listed(texts.map(textWords), 'Taken if it names the vital sign, else held until asked about'),
    missingUnits: listed(missingUnits.map(unitWords), 'Not used'),
    coreTemperatures: listed(
      coreTemperatures.map((subId) => `${subId === '' ? 'Without OBX-4' : subId} is the core temperature`),
      'Not used',
    ),
    sentinels: listed(sentinels.map(sentinelWords), 'Only what no patient can have'),
    isZeroRateNoSignal: settings.isZeroRateNoSignal ? 'No signal: a real asystole raises no alert' : 'Asystole',
    quarantine: `${quarantineWords[partly]} if some of it is, ${quarantineWords[wholly]} if all is`,
  };
}
