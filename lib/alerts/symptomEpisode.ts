import { firstDifference } from '../sortOrder';
import { redFlagsOf } from '../symptoms/redFlagsOf';
import { symptoms, type RedFlag, type Symptom } from '../symptoms/symptoms';
import type { EpochMs } from '../time/epochMs';
import { isFurther, openCauses } from './amberSymptoms';
import { nextEpisode, type Episode } from './episode';
import { amberRule, changedSymptoms, redFlagRule, type EvaluatedReport, type SymptomChange } from './evaluateSymptoms';
import { redTooOldMs } from './timing';

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
