import { redFlagsOf } from '../symptoms/redFlagsOf';
import type { RedFlag } from '../symptoms/symptoms';
import type { EpochMs } from '../time/epochMs';
import { nextEpisode, type Episode } from './episode';
import { evaluateSymptoms, redFlagRule, type EvaluatedReport } from './evaluateSymptoms';

/** A report with red flags that is older than this raises nothing when it is entered, in milliseconds. */
const tooOldMs = 24 * 3_600_000;

/**
 * Returns from when on reports have to be read for `nextSymptomEpisode` at `now`: those of the last 24 hours, and all
 * since the day before an open red flag. Epoch milliseconds.
 */
export function symptomsFrom(episode: Episode | null, now: EpochMs): EpochMs {
  return (isOpenFlag(episode) ? episode.startedAt : now) - tooOldMs;
}

/**
 * Takes the episode so far, a patient's reports since `symptomsFrom` with at least the newest two, and returns the
 * episode at `now`: the same object if nothing changed. Reports that were recorded up to `resolvedTo` are answered.
 *
 * A red flag stays until a person resolves it, whatever is reported later (clinical.md section 0, Y1); each further
 * one is a new raise. All reports count and not only the newest: two people may report at once, and a report may be
 * entered late. Anything milder is that of the newest report. One that was entered in error raises nothing, and ends no
 * red flag.
 */
export function nextSymptomEpisode(
  episode: Episode | null,
  reports: readonly EvaluatedReport[],
  resolvedTo: EpochMs,
  now: EpochMs,
): Episode | null {
  const isFlagged = isOpenFlag(episode);
  const flagged = reports.filter(
    (report) =>
      report.recordedAt > resolvedTo &&
      // One that was raised stays, also if it was entered in error.
      (report.isInError !== true || (isFlagged && report.recordedAt <= episode.since)) &&
      flagsOf(report).length > 0 &&
      (isFlagged || now - report.reportedAt <= tooOldMs),
  );
  const newestAt = Math.max(...flagged.map(({ recordedAt }) => recordedAt));
  if (isFlagged) {
    const known = new Set(flagged.filter(({ recordedAt }) => recordedAt <= episode.since).flatMap(flagsOf));
    const isFurther = flagged.some(
      (report) => report.recordedAt > episode.since && flagsOf(report).some((flag) => !known.has(flag)),
    );
    // `since` says up to which report it is answered once a person resolves it.
    return newestAt > episode.since
      ? { ...episode, count: episode.count + (isFurther ? 1 : 0), since: newestAt }
      : episode;
  }
  if (flagged.length > 0) {
    const active = { rule: redFlagRule, priority: 'high', since: newestAt } as const;
    const raised = nextEpisode(episode, [active], now, null);
    return raised === null ? null : { ...raised, since: newestAt };
  }
  const counted = reports.filter(({ isInError }) => isInError !== true);
  const [newest, before] = counted.sort((a, b) => b.reportedAt - a.reportedAt);
  const milder = newest === undefined ? null : evaluateSymptoms(newest, before ?? null);
  return nextEpisode(episode, milder?.priority === 'medium' ? [milder] : [], now, null);
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

function isOpenFlag(episode: Episode | null): episode is Episode {
  return episode !== null && episode.endedAt === null && episode.rule === redFlagRule;
}

const flagsOf = ({ answers, redFlags }: EvaluatedReport): RedFlag[] => redFlagsOf(answers, redFlags);
