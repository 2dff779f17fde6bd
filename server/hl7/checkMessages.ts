import { setImmediate as turn } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { codeRow, codeText } from '../../lib/hl7/codes';
import type { Frame } from '../../lib/hl7/Deframer';
import { noteStructure } from '../../lib/hl7/noteStructure';
import { parseMessage } from '../../lib/hl7/parseMessage';
import type { SiteTime } from '../../lib/hl7/parseTime';
import { isAlarmReport, readAlarms } from '../../lib/hl7/readAlarms';
import { readOru, type Observation, type OruPatient, type OruResult } from '../../lib/hl7/readOru';
import { choicesOf, nothingSeen, proposedAnswers, type SeenStructure } from '../../lib/hl7/seenStructure';
import { numberIs, unanswered, type SenderSettings } from '../../lib/hl7/senderSettings';
import { authoritiesPage, reasonWords } from '../../lib/interfaces/reasonWords';
import type { CheckedLine, MessageReason } from '../../lib/interfaces/schema';
import { answerWords, questionNames, settingsQuestions } from '../../lib/interfaces/settingsWords';
import { toPlainLine } from '../../lib/plainText';
import { kindOfCode, kinds, noRate } from '../../lib/vitals/kinds';
import type { PatientRow } from '../db/rows';
import { refusalOf } from './outcomes';
import { sortValues, type SortedValues, type ValueWard } from './sortValues';

/** By what a message is judged. */
export interface Judging {
  settings: SenderSettings;
  site: SiteTime;
  /**
   * What a server knows of the sender of a message that has come. It judges so many lines. Null: nothing is known, and
   * each line comes when it was sent.
   */
  known: (Pick<ValueWard, 'isTrial' | 'mrnAuthorities' | 'bedOf' | 'meaningOf'> & { mostLines: number }) | null;
}

/** What becomes of a line; and its status and value, for those alone who have the message. */
export interface Verdict extends CheckedLine {
  status: string;
  value: string;
}

/**
 * Says what the listener would take of messages, by the settings of their sender, else by those that it would propose:
 * a line for each OBX. It says neither who patients are nor what is in texts.
 */
export async function checkMessages(
  frames: readonly Frame[],
  given: SenderSettings | null,
  site: SiteTime,
): Promise<{ lines: string[]; isWhole: boolean }> {
  const sent = frames.flatMap((frame) => (frame.kind === 'message' ? [frame.bytes] : []));
  const settings = given ?? proposedAnswers(seenIn(sent, site));
  const answers = answerWords(settings);
  const told: string[] = [];
  let whole = 0;
  for (const [index, frame] of frames.entries()) {
    const verdicts =
      frame.kind === 'message'
        ? await checkMessage(frame.bytes, { settings, site, known: null })
        : [notTaken(frame.reason === 'too_long' ? 'too_long' : 'not_hl7')];
    const what = frame.kind === 'message' ? 'the message' : `a frame (${frame.reason})`;
    whole += verdicts.every(({ reason }) => reason === null) ? 1 : 0;
    told.push(...verdicts.map((verdict) => `${index + 1}, ${textOf(verdict, what)}`));
  }
  const lines = [
    given === null ? 'Settings that the messages propose:' : 'Settings:',
    ...questionNames.map((question) => `  ${settingsQuestions[question]}: ${answers[question]}`),
    ...told,
    `${whole} of ${frames.length} would be taken completely`,
  ];
  return { lines: lines.map(toPlainLine), isWhole: whole === frames.length };
}

/** Returns what messages look like, as the listener notes it of a sender that is not known. */
function seenIn(messages: readonly Uint8Array[], site: SiteTime): SeenStructure {
  const seen = nothingSeen();
  for (const parsed of messages.map((bytes) => parseMessage(bytes))) {
    if (parsed.ok && refusalOf(parsed) === null) {
      noteStructure(seen, parsed.message, readOru(parsed.message, site, unanswered));
    }
  }
  return seen;
}

function textOf({ line, code, unit, status, taken, value, reason, settings }: Verdict, whole: string): string {
  const what = line === 1 ? whole : `line ${line}, ${code} in "${unit}", status "${status}"`;
  const is = reason === null ? `${taken}${value}` : `not taken: ${reasonWords[reason][0]} (${reason})`;
  return [`${what}: ${is}`, ...settings].join('. ');
}

/** Returns that the whole message is not taken. */
const notTaken = (reason: MessageReason): Verdict => ({
  ...{ line: 1, code: '', unit: '', status: '', taken: '', value: '', reason, settings: [] },
});

/**
 * Resolves with what becomes of each OBX of a message, or with why the whole is refused. Of what is not taken it has
 * the reason, and each answer and page by which that would be another one. The patient is here as the message says. It
 * gives others a turn between its steps, and each is as long as one of taking the message.
 */
export async function checkMessage(bytes: Uint8Array, by: Judging): Promise<Verdict[]> {
  const verdicts = [...(await judgeMessage(bytes, by)).values()];
  const refused = verdicts.filter(({ reason }) => reason !== null);
  if (refused.length === 0) {
    return verdicts;
  }
  const { settings, site, known } = by;
  await turn();
  const other: SenderSettings = {
    ...{ ...settings, ...choicesOf(settings, seenIn([bytes], site)) },
    ...({ beside: 'asSent', bedRoute: true, charset: '8859/1', missingStatus: 'F' } as const),
  };
  const open = questionNames.filter((question) => !isDeepStrictEqual(other[question], settings[question]));
  const others = open.map((question): [words: string, by: Judging] => [
    `${settingsQuestions[question]}: ${answerWords(settings)[question]}`,
    { ...by, settings: { ...settings, [question]: other[question] } },
  ]);
  if (known !== null && known.mrnAuthorities.length > 0) {
    others.push([authoritiesPage, { ...by, known: { ...known, mrnAuthorities: [] } }]);
  }
  for (const [words, otherBy] of others) {
    const judged = await judgeMessage(bytes, otherBy);
    for (const { line, reason, settings: deciding } of refused) {
      deciding.push(...(judged.get(line)?.reason === reason ? [] : [words]));
    }
  }
  for (const { reason, settings: deciding } of known === null ? [] : refused) {
    const [, ...places] = reason === null ? [] : reasonWords[reason];
    const shown: readonly string[] = [authoritiesPage, ...Object.values(settingsQuestions)];
    deciding.push(...places.filter((words) => !shown.includes(words)));
  }
  return verdicts;
}

/** Resolves with what becomes of each OBX by the number of its line; of line 1: of the whole message. */
async function judgeMessage(bytes: Uint8Array, by: Judging): Promise<Map<number, Verdict>> {
  const { settings, site, known } = by;
  await turn();
  const parsed = parseMessage(bytes, settings.charset);
  const refusal = refusalOf(parsed);
  if (!parsed.ok || refusal !== null) {
    const isAnswer = parsed.ok && parsed.message.header.type.code === 'ACK';
    const answer: Verdict = { ...notTaken('acknowledgement'), taken: reasonWords.acknowledgement[0], reason: null };
    return new Map([[1, isAnswer ? answer : notTaken(refusal?.reason ?? 'not_hl7')]]);
  }
  const { message } = parsed;
  const isReport = isAlarmReport(message);
  const results = readOru(message, site, settings);
  await turn();
  // A value is sorted alone, an alarm with all lines that it may have.
  const alone = (result: OruResult): OruResult[] =>
    result.observations.slice(0, known?.mostLines).map((one) => ({ ...result, observations: [one] }));
  const parts = (isReport ? results : results.flatMap(alone)).slice(0, known?.mostLines);
  const heard = readAlarms(message, parts);
  const verdicts = parts.flatMap((part, index) => {
    const { patient, sentAt, observations } = part;
    const cameAt = known === null ? (sentAt ?? observations[0]?.takenAt.at ?? null) : null;
    const sent = { ...part, alarms: heard[index] ?? [], isAlarmReport: isReport };
    const sorted = sortValues([sent], cameAt ?? site.receivedAt, wardOf(patient, by));
    return observations.slice(0, known?.mostLines).map((one) => verdictOf(one, sorted));
  });
  return new Map(verdicts.slice(0, known?.mostLines).map((verdict) => [verdict.line, verdict]));
}

function verdictOf({ line, code, unit, status }: Observation, sorted: SortedValues): Verdict {
  const [name = '', sentUnit = ''] = [code, unit].map((sent) => codeText(sent).replace(/\^+$/, ''));
  const sources = [...sorted.sources.values()];
  const [refused] = [sorted, ...sorted.monitors.values(), ...sources].flatMap((place) => place.refused);
  const reason: MessageReason | null = refused?.code ?? (sorted.unmapped.length > 0 ? 'unknown_code' : null);
  const of = { line, code: name, unit: sentUnit, status, reason, settings: [] };
  const [is] = sources.flatMap(({ samples, withdrawn }) => [
    ...samples.map(({ kind, value, quality, takenAt }) => {
      const { label, unit: own } = kinds[kind];
      const nothing = `${label} without a signal${value === noRate ? ', unless an SpO2 is beside it' : ''}`;
      return quality === 'invalid'
        ? { taken: nothing, value: `, at ${takenAt}` }
        : { taken: label, value: ` ${value} ${own}, ${quality}, at ${takenAt}` };
    }),
    ...withdrawn.map(({ kind }) => ({ taken: `Takes ${kinds[kindOfCode(kind)].label} back`, value: '' })),
  ]);
  const nothing = { taken: reason === null ? 'No value: an alarm text, a waveform or a group' : '', value: '' };
  return { ...of, ...(reason === null ? (is ?? nothing) : nothing) };
}

/** What holds where nothing is known of a sender: each bed is mapped, and no code. */
const nothingKnown: Omit<NonNullable<Judging['known']>, 'mostLines'> = {
  ...{ isTrial: false, mrnAuthorities: [], bedOf: () => ({ key: '', mappingId: 1 }) },
  meaningOf: (code) => {
    const row = codeRow(code);
    return row === null ? null : { ...row, mappingId: null };
  },
};

/** Returns a ward in which the patient of a message is as it says, and in its bed. */
function wardOf(
  { identifiers, birthDate, familyName, givenName }: OruPatient,
  { settings, known }: Judging,
): ValueWard {
  const ward = known ?? nothingKnown;
  // A year, or a year and a month, may be all that is sent. What is no date is no one's.
  const [, year = '', month = '01', day = '01'] = /^(\d{4})-?(\d\d)?(?:-(\d\d))?$/.exec(birthDate ?? '') ?? [];
  const patient: PatientRow = {
    ...({ id: 1, site_id: 1, sex: 'unknown', unit_id: null, bed: null, shares_bed: 0, profile: 'continuous' } as const),
    ...({ spo2_scale: 1, news2_exempt_for: null, state: 'active', version: 1 } as const),
    ...{ created_at: 0, updated_at: 0, date_of_birth: `${year}-${month}-${day}` },
    ...{ family_name: familyName ?? '', given_name: givenName ?? '' },
    is_trial: ward.isTrial ? 1 : 0,
    mrn: identifiers.find((one) => numberIs(settings, one) === 'mrn')?.id.normalize('NFC') ?? '',
  };
  return {
    ...{ ...ward, settings, byMrn: () => patient, byId: () => patient },
    ...{ stays: { occupantOf: () => ({ patientId: 1 }) }, aheadMs: () => 0 },
    ...{ isElsewhere: () => false, sourcesOf: () => [] },
  };
}
