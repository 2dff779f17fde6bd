import type { RedFlag, Symptom, SymptomAnswer } from '../../lib/symptoms/symptoms';
import { dayOf } from '../../lib/time/dayOf';
import { startOfDay } from '../../lib/time/startOfDay';
import { hold } from '../db/hold';
import type { Server } from '../server';
import { sortedPairs } from '../symptoms/commands';
import { readNewestReports } from '../symptoms/newestReports';
import { wardOf } from './wardOf';

type Answers = Partial<Record<Symptom, SymptomAnswer>>;

/** What a patient says on a day, which is counted back from today. */
interface Course {
  /** The end of the patient's MRN (simulator/cast.ts). */
  patient: number;
  source: 'staff' | 'patient' | 'proxy';
  days: number;
  /** Of three a day, which do not come: every so many. */
  missesEvery: number;
  answersOn: (daysAgo: number) => Answers;
  redFlagOn?: { daysAgo: number; flag: RedFlag };
}

/** At home three a day, in bed one a day: what the stories of the cast would say. The last days bring nothing worse. */
const courses: readonly Course[] = [
  {
    patient: 20,
    source: 'patient',
    days: 14,
    missesEvery: 11,
    answersOn: (ago) => ({
      cough: ago > 8 ? 'moderate' : ago > 3 ? 'mild' : 'absent',
      fever: ago > 10 ? 'mild' : 'absent',
      dyspnoea: 'absent',
      fatigue: ago > 5 ? 'moderate' : 'mild',
    }),
  },
  {
    patient: 21,
    source: 'patient',
    days: 9,
    missesEvery: 7,
    answersOn: () => ({ dyspnoea: 'absent', cough: 'absent', fever: 'absent', chestPain: 'absent' }),
  },
  {
    patient: 22,
    source: 'patient',
    days: 14,
    missesEvery: 9,
    answersOn: (ago) => ({
      dyspnoea: ago > 4 && ago < 8 ? 'moderate' : 'mild',
      orthopnoea: ago > 4 && ago < 8 ? 'mild' : 'absent',
      footSwelling: ago > 2 ? 'moderate' : 'mild',
      fatigue: 'mild',
      fever: 'absent',
    }),
  },
  {
    patient: 23,
    source: 'proxy',
    days: 14,
    missesEvery: 8,
    answersOn: (ago) => ({
      dyspnoea: ago > 5 && ago < 8 ? 'moderate' : 'absent',
      fever: ago > 5 && ago < 8 ? 'severe' : 'absent',
      reducedAppetite: ago > 2 ? 'moderate' : 'mild',
      confusion: 'absent',
    }),
    // He was seen the same day.
    redFlagOn: { daysAgo: 7, flag: 'feelsSeriouslyIll' },
  },
  {
    patient: 24,
    source: 'patient',
    days: 12,
    missesEvery: 2,
    answersOn: (ago) => ({ cough: 'mild', headache: ago % 3 === 0 ? 'unanswered' : 'mild', nausea: 'absent' }),
  },
  {
    patient: 2,
    source: 'staff',
    days: 3,
    missesEvery: Infinity,
    answersOn: () => ({ dyspnoea: 'moderate', cough: 'moderate', fever: 'mild', chestPain: 'absent' }),
  },
  {
    patient: 3,
    source: 'staff',
    days: 2,
    missesEvery: Infinity,
    answersOn: () => ({ cough: 'moderate', dyspnoea: 'mild', nausea: 'absent' }),
  },
  {
    patient: 7,
    source: 'staff',
    days: 3,
    missesEvery: Infinity,
    answersOn: () => ({ dyspnoea: 'mild', wheeze: 'mild', cough: 'mild' }),
  },
];

const hourMs = 3_600_000;
/** By the site's clock, in hours. */
const times = { home: [8, 14, 20], bed: [7] } as const;
/** How long it takes from an answer to its row. */
const recordedAfterMs = 20_000;

/**
 * Writes what the patients of the demo ward reported in the last days, with the times at which they did. It raises no
 * alert, because those days are over. A patient who has a report gets no other.
 */
export async function writeDemoSymptoms(server: Server, siteId: number): Promise<void> {
  const { store, liveState, now, alerts, faults } = server;
  const { writerOf, patientOf } = wardOf(server, siteId);
  const nurse = (await writerOf('nurse')).user.id;
  const at = now();
  const timeZone = alerts.timeZoneOf(siteId);
  const today = dayOf(at, timeZone);
  for (const { patient: number, source, days, missesEvery, answersOn, redFlagOn } of courses) {
    const patient = patientOf(number);
    const moments = Array.from({ length: days }, (_, index) => days - 1 - index).flatMap((daysAgo) =>
      times[source === 'staff' ? 'bed' : 'home'].map((hour) => ({
        daysAgo,
        hour,
        reportedAt: startOfDay(today, timeZone, -daysAgo) + hour * hourMs,
      })),
    );
    const rows = moments
      .filter(({ reportedAt }, index) => reportedAt + recordedAfterMs <= at && index % missesEvery !== missesEvery - 1)
      .map(({ daysAgo, hour, reportedAt }) => ({
        site_id: siteId,
        patient_id: patient.id,
        reported_at: reportedAt,
        recorded_at: reportedAt + recordedAfterMs,
        recorded_by: source === 'staff' ? nurse : null,
        source,
        answers: sortedPairs(answersOn(daysAgo)),
        breathlessness: null,
        mmrc: null,
        red_flags: JSON.stringify(redFlagOn?.daysAgo === daysAgo && hour === 14 ? [redFlagOn.flag] : []),
        since_yesterday: null,
      }));
    await store.db.transaction().execute(async (transaction) => {
      // Locks the patient, so that two writers at once do not both find nothing.
      await hold(transaction, 'patients', patient.id);
      const known = await transaction
        .selectFrom('symptom_reports')
        .select('id')
        .where('patient_id', '=', patient.id)
        .executeTakeFirst();
      if (known === undefined && rows.length > 0) {
        await transaction.insertInto('symptom_reports').values(rows).execute();
      }
    });
    const newest = await readNewestReports(store.db, at, patient.id, faults);
    liveState.symptoms.take(patient, newest.get(patient.id) ?? []);
  }
}
