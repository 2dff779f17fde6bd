import { codeRow, codeText } from '../../lib/hl7/codes';
import type { Frame } from '../../lib/hl7/Deframer';
import { noteStructure } from '../../lib/hl7/noteStructure';
import { parseMessage } from '../../lib/hl7/parseMessage';
import type { SiteTime } from '../../lib/hl7/parseTime';
import { isAlarmReport, readAlarms } from '../../lib/hl7/readAlarms';
import { readOru, type Observation, type OruPatient } from '../../lib/hl7/readOru';
import { choicesOf, nothingSeen, proposedAnswers, type SeenStructure } from '../../lib/hl7/seenStructure';
import { numberIs, unanswered, type SenderSettings } from '../../lib/hl7/senderSettings';
import { reasonWords } from '../../lib/interfaces/reasonWords';
import type { MessageReason } from '../../lib/interfaces/schema';
import { answerWords, questionNames, settingsQuestions } from '../../lib/interfaces/settingsWords';
import { toPlainLine } from '../../lib/plainText';
import { kindOfCode, kinds, noRate } from '../../lib/vitals/kinds';
import type { PatientRow } from '../db/rows';
import { refusalOf } from '../hl7/outcomes';
import { sortValues, type SortedValues, type ValueWard } from '../hl7/sortValues';

/**
 * Says what the listener would take of messages, by the settings of their sender, else by those that it would propose:
 * a line for each OBX. Of what is not taken it has the reason, and each answer that would change it if it were another
 * one. It says neither who patients are nor what is in texts. Each line is judged as if it came when it was sent.
 */
export function checkMessages(
  frames: readonly Frame[],
  given: SenderSettings | null,
  site: SiteTime,
): { lines: string[]; isWhole: boolean } {
  const settings = given ?? proposedAnswers(seenIn(frames, site));
  const answers = answerWords(settings);
  const checked = frames.map((frame) => checkFrame(frame, settings, site));
  const whole = checked.filter((verdicts) => verdicts.every(({ reason }) => reason === null)).length;
  const lines = [
    given === null ? 'Settings that the messages propose:' : 'Settings:',
    ...questionNames.map((question) => `  ${settingsQuestions[question]}: ${answers[question]}`),
    ...checked.flatMap((verdicts, index) => verdicts.map(({ text }) => `${index + 1}, ${text}`)),
    `${whole} of ${frames.length} would be taken completely`,
  ];
  return { lines: lines.map(toPlainLine), isWhole: whole === frames.length };
}

/** Returns what messages look like, as the listener notes it of a sender that is not known. */
function seenIn(frames: readonly Frame[], site: SiteTime): SeenStructure {
  const seen = nothingSeen();
  for (const frame of frames) {
    const parsed = frame.kind === 'message' ? parseMessage(frame.bytes) : null;
    if (parsed?.ok === true && refusalOf(parsed) === null) {
      noteStructure(seen, parsed.message, readOru(parsed.message, site, unanswered));
    }
  }
  return seen;
}

/** What becomes of a line. */
interface Verdict {
  text: string;
  /** Why it is not taken; null: it is, or has no value. */
  reason: MessageReason | null;
}

const notTaken = (what: string, reason: MessageReason): Verdict => ({
  text: `${what}: not taken: ${reasonWords[reason][0]} (${reason})`,
  reason,
});

function checkFrame(frame: Frame, settings: SenderSettings, site: SiteTime): Verdict[] {
  if (frame.kind === 'fault') {
    return [notTaken(`a frame (${frame.reason})`, frame.reason === 'too_long' ? 'too_long' : 'not_hl7')];
  }
  const verdicts = judgeMessage(frame.bytes, settings, site);
  if ([...verdicts.values()].every(({ reason }) => reason === null)) {
    return [...verdicts.values()];
  }
  const other: SenderSettings = {
    ...{ ...settings, ...choicesOf(settings, seenIn([frame], site)) },
    ...({ beside: 'asSent', bedRoute: true, charset: '8859/1', missingStatus: 'F' } as const),
  };
  const { bytes } = frame;
  const judged = questionNames.map((question) =>
    judgeMessage(bytes, { ...settings, [question]: other[question] }, site),
  );
  const answers = answerWords(settings);
  return [...verdicts].map(([line, { text, reason }]) => {
    const deciding = questionNames.filter((_, index) => judged[index]?.get(line)?.reason !== reason);
    const hints = reason === null ? [] : deciding.map((name) => `. ${settingsQuestions[name]}: ${answers[name]}`);
    return { text: text + hints.join(''), reason };
  });
}

/** Returns what becomes of each OBX by the number of its line; of line 1: of the whole message. */
function judgeMessage(bytes: Uint8Array, settings: SenderSettings, site: SiteTime): Map<number, Verdict> {
  const parsed = parseMessage(bytes, settings.charset);
  const refusal = refusalOf(parsed);
  if (!parsed.ok || refusal !== null) {
    const isAnswer = parsed.ok && parsed.message.header.type.code === 'ACK';
    const refused = notTaken('the message', refusal?.reason ?? 'not_hl7');
    return new Map([[1, isAnswer ? { text: reasonWords.acknowledgement[0], reason: null } : refused]]);
  }
  const { message } = parsed;
  const isReport = isAlarmReport(message);
  const results = readOru(message, site, settings);
  return new Map(
    results.flatMap((result) =>
      result.observations.map((observation) => {
        // A value is sorted alone, an alarm with all lines that it may have.
        const part = { ...result, observations: isReport ? result.observations : [observation] };
        const [alarms = []] = readAlarms(message, [part]);
        const ward = wardOf(result.patient, settings);
        const receivedAt = result.sentAt ?? observation.takenAt.at ?? site.receivedAt;
        const sorted = sortValues([{ ...part, alarms, isAlarmReport: isReport }], receivedAt, ward);
        return [observation.line, verdictOf(observation, sorted)] as const;
      }),
    ),
  );
}

function verdictOf({ line, code, unit, status }: Observation, sorted: SortedValues): Verdict {
  const [name, sentUnit] = [code, unit].map((sent) => codeText(sent).replace(/\^+$/, ''));
  const what = `line ${line}, ${name} in "${sentUnit}", status "${status}"`;
  const sources = [...sorted.sources.values()];
  const [refused] = [sorted, ...sorted.monitors.values(), ...sources].flatMap((place) => place.refused);
  const reason = refused?.code ?? (sorted.unmapped.length > 0 ? 'unknown_code' : null);
  if (reason !== null) {
    return notTaken(what, reason);
  }
  const taken = sources.flatMap(({ samples, withdrawn }) => [
    ...samples.map(({ kind, value, quality, takenAt }) => {
      const { label, unit: own } = kinds[kind];
      const nothing = `without a signal${value === noRate ? ', unless an SpO2 is beside it' : ''}`;
      return `${label} ${quality === 'invalid' ? nothing : `${value} ${own}, ${quality}`}, at ${takenAt}`;
    }),
    ...withdrawn.map(({ kind }) => `takes ${kinds[kindOfCode(kind)].label} back`),
  ]);
  return { text: `${what}: ${taken[0] ?? 'no value: an alarm text, a waveform or a group'}`, reason };
}

/** Returns a ward in which the patient of a message is as it says, and in its bed, which is mapped; no code is. */
function wardOf({ identifiers, birthDate, familyName, givenName }: OruPatient, settings: SenderSettings): ValueWard {
  // A year, or a year and a month, may be all that is sent. What is no date is no one's.
  const [, year = '', month = '01', day = '01'] = /^(\d{4})-?(\d\d)?(?:-(\d\d))?$/.exec(birthDate ?? '') ?? [];
  const patient: PatientRow = {
    ...({ id: 1, site_id: 1, sex: 'unknown', unit_id: null, bed: null, shares_bed: 0, profile: 'continuous' } as const),
    ...({ spo2_scale: 1, news2_exempt_for: null, is_trial: 0, state: 'active', version: 1 } as const),
    ...{ created_at: 0, updated_at: 0, date_of_birth: `${year}-${month}-${day}` },
    ...{ family_name: familyName ?? '', given_name: givenName ?? '' },
    mrn: identifiers.find((one) => numberIs(settings, one) === 'mrn')?.id.normalize('NFC') ?? '',
  };
  return {
    ...{ isTrial: false, settings, mrnAuthorities: [], byMrn: () => patient, byId: () => patient },
    ...{ bedOf: () => ({ key: '', mappingId: 1 }), stays: { occupantOf: () => ({ patientId: 1 }) } },
    ...{ aheadMs: () => 0, isElsewhere: () => false, sourcesOf: () => [] },
    meaningOf: (code) => {
      const row = codeRow(code);
      return row === null ? null : { ...row, mappingId: null };
    },
  };
}
