import type { Episode } from './episode';
import type { EvaluatedReport } from './evaluateSymptoms';
import { nextSymptomEpisode, openRedFlags, symptomsFrom } from './symptomEpisode';

const now = Date.UTC(2026, 4, 1, 10);
const minute = 60_000;
const day = 24 * 60 * minute;

const reportOf = (agoMs: number, more: Partial<EvaluatedReport> = {}): EvaluatedReport => ({
  reportedAt: now - agoMs,
  recordedAt: now - agoMs,
  answers: {},
  redFlags: [],
  sinceYesterday: null,
  ...more,
});
const lips = reportOf(10 * minute, { redFlags: ['blueLips'] });
const well = reportOf(minute);
const raised = nextSymptomEpisode(null, [lips], 0, now - 10 * minute);
const take = (episode: Episode | null, reports: readonly EvaluatedReport[], resolvedTo = 0, at = now) =>
  nextSymptomEpisode(episode, reports, resolvedTo, at);

describe('a red flag', () => {
  it('is raised as HIGH', () => {
    expect(raised).toMatchObject({ rule: 'symptoms.red_flag', priority: 'high', count: 1, endedAt: null });
  });

  it('stays when a later report does not mention it, and when it is not read any more', () => {
    expect(take(raised, [well, lips])).toBe(raised);
    expect(take(raised, [])).toBe(raised);
    expect(take(raised, [reportOf(0, { sinceYesterday: 'worse' }), lips])).toBe(raised);
  });

  it('is raised if the report was entered after a newer one without it, or at once with it', () => {
    const late = { ...lips, recordedAt: now };
    expect(take(null, [well, late])).toMatchObject({ priority: 'high' });
    expect(take(null, [{ ...well, recordedAt: lips.recordedAt }, lips])).toMatchObject({ priority: 'high' });
  });

  it('is a new raise with each further flag, and with no repeated one', () => {
    const again = take(raised, [reportOf(minute, { redFlags: ['blueLips'] }), lips]);
    expect(again).toEqual({ ...raised, since: now - minute });
    const further = [reportOf(minute, { redFlags: ['blueLips'], answers: { syncope: 'mild' } }), lips];
    const twice = take(raised, further);
    expect(twice).toMatchObject({ count: 2, since: now - minute, endedAt: null });
    expect(take(twice, further)).toBe(twice);
  });

  it('is not raised again by a report that a person has resolved, and is by the next', () => {
    expect(take(null, [lips], lips.recordedAt)).toBeNull();
    expect(take(null, [reportOf(0, { redFlags: ['blueLips'] }), lips], lips.recordedAt)).toMatchObject({ count: 1 });
  });

  it('is not raised by what is a day old when it is entered', () => {
    expect(take(null, [reportOf(day + 1, { redFlags: ['blueLips'], recordedAt: now })])).toBeNull();
    expect(take(null, [reportOf(day, { redFlags: ['blueLips'], recordedAt: now })])).not.toBeNull();
  });

  it('takes over from milder symptoms, and its end by a person leaves nothing', () => {
    const amber = take(null, [reportOf(minute, { sinceYesterday: 'worse' })], 0, now - minute);
    expect(amber).toMatchObject({ rule: 'symptoms.amber', priority: 'medium' });
    expect(take(amber, [lips, reportOf(minute, { sinceYesterday: 'worse' })])).toMatchObject({ priority: 'high' });
  });
});

it('ends milder symptoms with a newer report without them', () => {
  const worse = reportOf(2 * minute, { sinceYesterday: 'worse' });
  const amber = take(null, [worse], 0, now - 2 * minute);
  expect(take(amber, [worse])).toBe(amber);
  expect(take(amber, [worse, well])).toMatchObject({ endedAt: now });
});

it('names every red flag that is not answered, in the order of the table', () => {
  const reports = [well, reportOf(2 * minute, { redFlags: ['seizure'] }), lips];
  expect(openRedFlags(reports, 0)).toMatchObject({ at: now - 2 * minute, redFlags: ['blueLips', 'seizure'] });
  expect(openRedFlags(reports, lips.recordedAt)).toMatchObject({ at: now - 2 * minute, redFlags: ['seizure'] });
  expect(openRedFlags([well], 0)).toBeNull();
});

it('reads the reports of a day, and those of a red flag as long as it is open', () => {
  expect(symptomsFrom(null, now)).toBe(now - day);
  expect(symptomsFrom(raised, now + 5 * day)).toBe(now - 10 * minute - day);
  expect(symptomsFrom(raised === null ? null : { ...raised, endedAt: now }, now)).toBe(now - day);
});
