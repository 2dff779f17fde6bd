import { firstDifference } from '../sortOrder';
import { redFlagsOf } from '../symptoms/redFlagsOf';
import { symptoms, type RedFlag, type Symptom } from '../symptoms/symptoms';
import type { EpochMs } from '../time/epochMs';
import { nextEpisode, type Episode } from './episode';
import {
  amberRule,
  changedSymptoms,
  redFlagRule,
  type EvaluatedReport,
  type SymptomChange,
  amberWhenNew,
  gradeOf,
} from './evaluateSymptoms';
import { redTooOldMs } from './timing';

/** Something that is new or worse, and the report that said so. */
interface AmberCause {
  /** Null: the patient feels worse than yesterday. */
  symptom: Symptom | null;
  is: 'new' | 'worse';
  /** From 0 for absent to 3 for severe; 0 if it is no symptom. */
  grade: number;
  report: EvaluatedReport;
}

/** What is known after some reports, in the order of the times for which they are. */
interface Known {
  /** The last answer of each symptom. */
  grades: Map<Symptom, number>;
  causes: Map<Symptom | null, AmberCause>;
}

/**
 * Takes reports in any order, none of them entered in error, and returns what is new or worse and not over (clinical.md
 * sections 2.5 and 6). Each report counts for its own time, whenever it arrived. A symptom that grew to moderate or
 * more, or that is new and amber then, stays until it is answered milder; "worse than yesterday" stays; "better" ends
 * both. What was recorded up to `resolvedTo` is answered by a person.
 */
function openCauses(reports: readonly EvaluatedReport[], resolvedTo: EpochMs): readonly AmberCause[] {
  const known: Known = { grades: new Map(), causes: new Map() };
  const inOrder = [...reports].sort((a, b) =>
    firstDifference(a.reportedAt - b.reportedAt, a.recordedAt - b.recordedAt),
  );
  for (const report of inOrder) {
    take(known, report, report.recordedAt <= resolvedTo);
  }
  return [...known.causes.values()];
}

function take({ grades, causes }: Known, report: EvaluatedReport, isAnswered: boolean): void {
  if (report.sinceYesterday === 'better') {
    causes.clear();
  }
  const raise = (cause: Omit<AmberCause, 'report'>): void => {
    if (!isAnswered) {
      causes.set(cause.symptom, { ...cause, report });
    }
  };
  for (const symptom of Object.keys(symptoms) as Symptom[]) {
    const grade = gradeOf(report, symptom);
    if (grade === null) {
      continue;
    }
    const before = grades.get(symptom) ?? null;
    const isNew = grade > 0 && (before ?? 0) === 0 && amberWhenNew.includes(symptom);
    const isGrown = grade >= 2 && before !== null && grade > before;
    grades.set(symptom, grade);
    if (grade < (causes.get(symptom)?.grade ?? 0)) {
      causes.delete(symptom);
    }
    if (isNew || isGrown) {
      raise({ symptom, is: (before ?? 0) === 0 ? 'new' : 'worse', grade });
    }
  }
  // Said again it is news again: a patient has no other words for it.
  if (report.sinceYesterday === 'worse') {
    raise({ symptom: null, is: 'worse', grade: 0 });
  }
}

/**
 * Returns whether there is a cause that was not raised yet: `before` are those of the reports up to `evaluatedTo`. A
 * late report may show that something began earlier: that is no news.
 */
function isFurther(before: readonly AmberCause[], after: readonly AmberCause[], evaluatedTo: EpochMs): boolean {
  return after.some(({ symptom, grade, report }) => {
    const known = before.find((one) => one.symptom === symptom);
    return (
      known === undefined ||
      grade > known.grade ||
      (report.recordedAt > evaluatedTo && report.reportedAt > known.report.reportedAt)
    );
  });
}

/**
 * Returns from when on reports have to be read for `nextSymptomEpisode` at `now`: those of the last 24 hours, and all
 * since the day before what is open was raised. Epoch milliseconds.
 */
export function symptomsFrom(episode: Episode | null, now: EpochMs): EpochMs {
  return (episode?.endedAt === null ? episode.startedAt : now) - redTooOldMs;
}

/**
 * Takes the episode so far, a patient's reports since `symptomsFrom` with some before, and returns the episode at
 * `now`: the same object if nothing changed. Reports that were recorded up to `resolvedTo` are answered.
 *
 * A red flag stays until a person resolves it, whatever is reported later (clinical.md section 0, Y1); each further
 * one is a new raise. All reports count and not only the newest: two people may report at once, and a report may be
 * entered late. What is milder (`openCauses`) stays until it is answered milder, and each further one is a new raise.
 * A report that was entered in error raises nothing, and ends no red flag.
 */
export function nextSymptomEpisode(
  episode: Episode | null,
  reports: readonly EvaluatedReport[],
  resolvedTo: EpochMs,
  now: EpochMs,
): Episode | null {
  const isFlagged = isOpen(episode, redFlagRule);
  const flagged = reports.filter(
    (report) =>
      report.recordedAt > resolvedTo &&
      // One that was raised stays, also if it was entered in error.
      (report.isInError !== true || (isFlagged && report.recordedAt <= episode.since)) &&
      flagsOf(report).length > 0 &&
      (isFlagged || now - report.reportedAt <= redTooOldMs),
  );
  const newestAt = flagged.reduce((newest, { recordedAt }) => Math.max(newest, recordedAt), -Infinity);
  if (isFlagged) {
    const known = new Set(flagged.filter(({ recordedAt }) => recordedAt <= episode.since).flatMap(flagsOf));
    const hasFurther = flagged.some(
      (report) => report.recordedAt > episode.since && flagsOf(report).some((flag) => !known.has(flag)),
    );
    // `since` says up to which report it is answered once a person resolves it.
    return newestAt > episode.since
      ? { ...episode, count: episode.count + (hasFurther ? 1 : 0), since: newestAt }
      : episode;
  }
  if (flagged.length > 0) {
    const active = { rule: redFlagRule, priority: 'high', since: newestAt } as const;
    const raised = nextEpisode(episode, [active], now, null);
    return raised === null ? null : { ...raised, since: newestAt };
  }
  return nextAmberEpisode(episode, reports, resolvedTo, now);
}

/** Returns the episode of what is milder than a red flag. */
function nextAmberEpisode(
  episode: Episode | null,
  reports: readonly EvaluatedReport[],
  resolvedTo: EpochMs,
  now: EpochMs,
): Episode | null {
  const counted = reports.filter(({ isInError }) => isInError !== true);
  const isAmber = isOpen(episode, amberRule);
  const knownTo = isAmber ? (episode.evaluatedTo ?? episode.since) : -Infinity;
  const before = openCauses(
    counted.filter(({ recordedAt }) => recordedAt <= knownTo),
    resolvedTo,
  );
  const causes = openCauses(counted, resolvedTo).filter(
    ({ symptom, report }) =>
      now - report.reportedAt <= redTooOldMs || before.some((known) => known.symptom === symptom),
  );
  if (causes.length === 0) {
    return nextEpisode(episode, [], now, null);
  }
  const evaluatedTo = counted.reduce((newest, { recordedAt }) => Math.max(newest, recordedAt), knownTo);
  if (!isAmber) {
    const raised = nextEpisode(episode, [{ rule: amberRule, priority: 'medium', since: now }], now, null);
    return raised === null ? null : { ...raised, evaluatedTo };
  }
  if (isFurther(before, causes, knownTo)) {
    return { ...episode, count: episode.count + 1, since: now, evaluatedTo };
  }
  return evaluatedTo === episode.evaluatedTo ? episode : { ...episode, evaluatedTo };
}

/** Returns up to which report a person who resolves the alert of an episode has answered; epoch milliseconds. */
export function answeredTo({ rule, since, evaluatedTo }: Episode): EpochMs {
  return rule === redFlagRule ? since : (evaluatedTo ?? since);
}

/**
 * Returns what the words of the alert about milder symptoms need: all that is open, and what else changed with the
 * newest report that raised it. Null: nothing of it is left.
 */
export function openAmber(
  reports: readonly EvaluatedReport[],
  resolvedTo: EpochMs,
): { at: EpochMs; redFlags: []; changes: SymptomChange[]; isWorse: boolean } | null {
  const counted = reports
    .filter(({ isInError }) => isInError !== true)
    .sort((a, b) => firstDifference(b.reportedAt - a.reportedAt, b.recordedAt - a.recordedAt));
  const causes = openCauses(counted, resolvedTo);
  const newest = counted.find((report) => causes.some((cause) => cause.report === report));
  if (newest === undefined) {
    return null;
  }
  const before = counted[counted.indexOf(newest) + 1] ?? null;
  const changed = new Map(changedSymptoms(newest, before).map((one) => [one.symptom, one]));
  for (const { symptom, is } of causes) {
    if (symptom !== null) {
      changed.set(symptom, { symptom, is });
    }
  }
  return {
    at: newest.reportedAt,
    redFlags: [],
    changes: (Object.keys(symptoms) as Symptom[]).flatMap((symptom) => changed.get(symptom) ?? []),
    isWorse: causes.some(({ symptom }) => symptom === null),
  };
}

/** Returns the red flags of reports that are not answered yet, for the words of their alert. */
export function openRedFlags(
  reports: readonly EvaluatedReport[],
  resolvedTo: EpochMs,
): { at: EpochMs; redFlags: readonly RedFlag[]; isInError: boolean } | null {
  const flagged = reports.filter((report) => report.recordedAt > resolvedTo && flagsOf(report).length > 0);
  return flagged.length === 0
    ? null
    : {
        at: Math.max(...flagged.map(({ reportedAt }) => reportedAt)),
        redFlags: redFlagsOf({}, flagged.flatMap(flagsOf)),
        isInError: flagged.every(({ isInError }) => isInError === true),
      };
}

function isOpen(episode: Episode | null, rule: string): episode is Episode {
  return episode !== null && episode.endedAt === null && episode.rule === rule;
}

const flagsOf = ({ answers, redFlags }: EvaluatedReport): RedFlag[] => redFlagsOf(answers, redFlags);
