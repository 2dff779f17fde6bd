import { firstDifference } from '../sortOrder';
import type { GradedReport } from './gradedReport';
import { cellOf, worseCell, type CellCode } from './severity';
import { redFlags, symptoms, type RedFlag, type Symptom } from './symptoms';
import type { SymptomsTodayPage } from './todaySchema';

type SymptomsToday = Omit<SymptomsTodayPage, 'version' | 'day'>;

/** Counts what patients reported today: for each patient the reports of the day, none if there is none. */
export function symptomsToday(byPatient: readonly (readonly GradedReport[])[]): SymptomsToday {
  const worst = byPatient.map(
    (reports) => (symptom: Symptom) =>
      reports.reduce<CellCode>((cell, report) => worseCell(cell, cellIn(report, symptom)), '.'),
  );
  const counts = (Object.keys(symptoms) as Symptom[]).map((symptom): SymptomsToday['symptoms'][number] => {
    const cells = worst.map((cellFor) => cellFor(symptom));
    const count = (code: CellCode): number => cells.filter((cell) => cell === code).length;
    return {
      symptom,
      severe: count('3'),
      moderate: count('2'),
      mild: count('1'),
      absent: count('0'),
      unanswered: count('u'),
      unreadable: count('?'),
    };
  });
  return {
    total: byPatient.length,
    reported: byPatient.filter((reports) => reports.length > 0).length,
    unreadable: byPatient.filter((reports) => reports.some(isUnread)).length,
    redFlags: (Object.keys(redFlags) as RedFlag[]).flatMap((flag) => {
      const patients = byPatient.filter((reports) => reports.some((report) => report.redFlags.includes(flag))).length;
      return patients === 0 ? [] : [{ flag, patients }];
    }),
    symptoms: counts
      .filter(({ severe, moderate, mild, absent, unanswered }) => severe + moderate + mild + absent + unanswered > 0)
      // Stable: symptoms with the same numbers stay in the order of the table.
      .sort((a, b) => firstDifference(b.severe - a.severe, b.moderate - a.moderate, b.mild - a.mild)),
  };
}

const isUnread = ({ isUnreadable }: GradedReport): boolean => isUnreadable === true;

const cellIn = (report: GradedReport, symptom: Symptom): CellCode =>
  isUnread(report) ? '?' : cellOf(report.answers[symptom]);
