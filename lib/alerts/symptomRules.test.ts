import fc from 'fast-check';
import { type RedFlag, redFlags, type SymptomAnswer } from '../symptoms/symptoms';
import type { Episode } from './episode';
import { changedSymptoms, type EvaluatedReport } from './evaluateSymptoms';
import { answeredTo, nextSymptomEpisode, openRedFlags, symptomsFrom } from './symptomEpisode';

describe('symptomEpisode', () => {
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

  describe('milder symptoms', () => {
    const at = (agoMinutes: number, more: Partial<EvaluatedReport>) => reportOf(agoMinutes * minute, more);
    /** Takes reports as they arrive, in this order, and returns the episode after each. */
    const arrive = (reports: readonly EvaluatedReport[]): (Episode | null)[] => {
      const known: EvaluatedReport[] = [];
      let episode: Episode | null = null;
      return reports.map((report, index) => {
        const recordedAt = now + index * 1_000;
        known.push({ ...report, recordedAt });
        episode = nextSymptomEpisode(episode, known, 0, recordedAt);
        return episode;
      });
    };
    const isOpenAfter = (reports: readonly EvaluatedReport[]): boolean => {
      const last = arrive(reports).at(-1) ?? null;
      return last !== null && last.endedAt === null;
    };
    const mild = at(50, { answers: { cough: 'mild' } });
    const severe = at(40, { answers: { cough: 'severe' } });
    const worse = at(40, { sinceYesterday: 'worse' });
    const milder = at(30, { answers: { cough: 'mild' } });
    const dizzy = (agoMinutes: number) => at(agoMinutes, { answers: { dizziness: 'mild' } });

    it.each<[string, EvaluatedReport[], boolean]>([
      ['worse', [worse], true],
      ['worse, then the same', [worse, at(30, { sinceYesterday: 'same' })], true],
      ['worse, then better', [worse, at(30, { sinceYesterday: 'better' })], false],
      ['severe', [mild, severe], true],
      ['severe twice', [mild, severe, at(30, { answers: { cough: 'severe' } })], true],
      ['severe, then an answer about another symptom', [mild, severe, at(30, { answers: { fever: 'absent' } })], true],
      ['severe, then not answered', [mild, severe, at(30, { answers: { cough: 'unanswered' } })], true],
      ['severe, then milder', [mild, severe, at(30, { answers: { cough: 'moderate' } })], false],
      ['severe, then absent', [mild, severe, at(30, { answers: { cough: 'absent' } })], false],
      ['severe, then better', [mild, severe, at(30, { sinceYesterday: 'better' })], false],
      ['new dizziness, then the same', [dizzy(40), dizzy(30)], true],
      ['worse and severe, then milder', [mild, { ...severe, sinceYesterday: 'worse' }, milder], true],
      ['worse after a report that did not ask', [mild, at(45, { answers: { fever: 'absent' } }), severe], true],
      ['an older worse after a newer same', [at(30, { sinceYesterday: 'same' }), worse], true],
      ['an older better after a newer worse', [worse, at(50, { sinceYesterday: 'better' })], true],
      ['an older milder one after a newer severe one', [mild, severe, at(45, { answers: { cough: 'absent' } })], true],
      ['an older worse after a newer better', [at(30, { sinceYesterday: 'better' }), worse], false],
    ])('after %s', (_, reports, isStillOpen) => {
      expect(isOpenAfter(reports)).toBe(isStillOpen);
    });

    it('are raised again with each further worsening, and by nothing else', () => {
      const counts = (reports: readonly EvaluatedReport[]) => arrive(reports).map((episode) => episode?.count ?? 0);
      const moderate = at(45, { answers: { cough: 'moderate' } });
      expect(counts([mild, moderate, severe, at(30, { answers: { cough: 'severe' } })])).toEqual([0, 1, 2, 2]);
      expect(counts([worse, at(30, { sinceYesterday: 'same' }), at(20, { sinceYesterday: 'worse' })])).toEqual([
        1, 1, 2,
      ]);
      expect(counts([mild, severe, at(30, { answers: { dizziness: 'mild' } })])).toEqual([0, 1, 2]);
      // Late: it began earlier, which is no news; a comparison that was not known before is.
      expect(counts([mild, severe, moderate])).toEqual([0, 1, 1]);
      expect(counts([severe, mild])).toEqual([0, 1]);
    });

    it('are not raised by what is a day old, and stay for longer than a day', () => {
      const old = reportOf(day + 1, { sinceYesterday: 'worse', recordedAt: now });
      expect(take(null, [old])).toBeNull();
      const open = take(null, [worse]);
      expect(take(open, [worse], 0, now + 3 * day)).toMatchObject({ endedAt: null, count: 1 });
      expect(symptomsFrom(open, now + 3 * day)).toBe(now - day);
    });

    it('are answered by a person who resolves them, and raised by the next worsening', () => {
      const open = take(null, [mild, severe]);
      const to = open === null ? 0 : answeredTo(open);
      expect(take(null, [mild, severe, at(30, { answers: { cough: 'severe' } })], to)).toBeNull();
      expect(take(null, [mild, severe, at(30, { sinceYesterday: 'worse' })], to)).toMatchObject({ count: 1 });
    });

    it('end if the report that raised them was entered in error', () => {
      const open = take(null, [mild, severe]);
      expect(take(open, [mild, { ...severe, isInError: true }])).toMatchObject({ endedAt: now });
    });

    const answers = fc.record(
      {
        cough: fc.constantFrom<SymptomAnswer>('absent', 'mild', 'moderate', 'severe', 'unanswered'),
        dizziness: fc.constantFrom<SymptomAnswer>('absent', 'mild', 'moderate'),
      },
      { requiredKeys: [] },
    );
    const some = fc.uniqueArray(fc.integer({ min: 1, max: 600 }), { minLength: 1, maxLength: 8 }).chain((minutes) =>
      fc.tuple(
        ...minutes.map((ago) =>
          fc
            .record({
              answers,
              sinceYesterday: fc.constantFrom('worse' as const, 'same' as const, 'better' as const, null),
              redFlags: fc.constantFrom<RedFlag[]>([], [], [], ['blueLips'], ['seizure']),
            })
            .map((more) => at(ago, more)),
        ),
      ),
    );
    const inBothOrders = some.chain((reports) =>
      fc.tuple(fc.constant(reports), fc.shuffledSubarray(reports, { minLength: reports.length })),
    );

    it('end the same in whatever order the reports arrive', () => {
      fc.assert(
        fc.property(inBothOrders, ([reports, shuffled]) => {
          const harmless = (list: readonly EvaluatedReport[]) => list.map((one) => ({ ...one, redFlags: [] }));
          expect(isOpenAfter(harmless(reports))).toBe(isOpenAfter(harmless(shuffled)));
        }),
        { numRuns: 500 },
      );
    });

    it('hide no red flag: each is raised, in whatever order the reports arrive', () => {
      fc.assert(
        fc.property(inBothOrders, ([, shuffled]) => {
          const told = new Set<string>();
          let raises = 0;
          arrive(shuffled).forEach((episode, index) => {
            const flags = shuffled[index]?.redFlags ?? [];
            raises += flags.some((flag) => !told.has(flag)) ? 1 : 0;
            flags.forEach((flag) => told.add(flag));
            const isRed = episode?.rule === 'symptoms.red_flag' && episode.endedAt === null;
            expect(isRed).toBe(told.size > 0);
            expect(isRed ? episode.count : raises).toBeGreaterThanOrEqual(raises);
          });
        }),
        { numRuns: 500 },
      );
    });
  });
});

describe('evaluateSymptoms', () => {
  const reportOf = (more: Partial<EvaluatedReport> = {}): EvaluatedReport => ({
    reportedAt: 1_000,
    recordedAt: 1_000,
    answers: {},
    redFlags: [],
    sinceYesterday: null,
    ...more,
  });

  /** What a report raises after another one, which a person has answered. */
  const raisedBy = (report: EvaluatedReport, before: EvaluatedReport | null) => {
    const earlier = before === null ? [] : [{ ...before, reportedAt: 500, recordedAt: 500 }];
    return nextSymptomEpisode(null, [report, ...earlier], 500, 1_000);
  };

  describe('a report of symptoms', () => {
    it.each(Object.keys(redFlags) as RedFlag[])('raises HIGH for %s', (flag) => {
      expect(raisedBy(reportOf({ redFlags: [flag] }), null)).toMatchObject({
        rule: 'symptoms.red_flag',
        priority: 'high',
        since: 1_000,
      });
    });

    it.each<[string, EvaluatedReport, EvaluatedReport | null, string | undefined]>([
      ['a flag that follows from an answer', reportOf({ answers: { dyspnoea: 'severe' } }), null, 'high'],
      ['worse than yesterday', reportOf({ sinceYesterday: 'worse' }), null, 'medium'],
      ['the same as yesterday', reportOf({ sinceYesterday: 'same', answers: { cough: 'mild' } }), null, undefined],
      [
        'a symptom that grew to moderate',
        reportOf({ answers: { cough: 'moderate' } }),
        reportOf({ answers: { cough: 'mild' } }),
        'medium',
      ],
      [
        'one that grew to mild',
        reportOf({ answers: { cough: 'mild' } }),
        reportOf({ answers: { cough: 'absent' } }),
        undefined,
      ],
      [
        'one that stays moderate',
        reportOf({ answers: { cough: 'moderate' } }),
        reportOf({ answers: { cough: 'moderate' } }),
        undefined,
      ],
      [
        'a moderate one that was not asked for before',
        reportOf({ answers: { cough: 'moderate' } }),
        reportOf(),
        undefined,
      ],
      [
        'new dizziness',
        reportOf({ answers: { dizziness: 'mild' } }),
        reportOf({ answers: { dizziness: 'absent' } }),
        'medium',
      ],
      ['dizziness in the first report', reportOf({ answers: { dizziness: 'mild' } }), null, 'medium'],
      [
        'dizziness as before',
        reportOf({ answers: { dizziness: 'mild' } }),
        reportOf({ answers: { dizziness: 'mild' } }),
        undefined,
      ],
      ['dizziness without an answer', reportOf({ answers: { dizziness: 'unanswered' } }), null, undefined],
      ['nothing', reportOf({ answers: { cough: 'absent' } }), null, undefined],
    ])('judges %s', (_, report, before, priority) => {
      expect(raisedBy(report, before)?.priority).toBe(priority);
    });
  });

  describe('the symptoms that changed', () => {
    it('are those that are new or worse, and no others', () => {
      const before = reportOf({ answers: { dyspnoea: 'moderate', cough: 'mild', fever: 'absent', fatigue: 'severe' } });
      const report = reportOf({
        answers: { dyspnoea: 'moderate', cough: 'moderate', fever: 'mild', fatigue: 'mild', nausea: 'absent' },
      });
      expect(changedSymptoms(report, before)).toEqual([
        { symptom: 'cough', is: 'worse' },
        { symptom: 'fever', is: 'new' },
      ]);
    });

    it('call one that was not asked before new only if the rules do', () => {
      const report = reportOf({ answers: { cough: 'moderate', oedema: 'mild', fever: 'unanswered' } });
      for (const before of [null, reportOf(), reportOf({ answers: { cough: 'unanswered' } })]) {
        expect(changedSymptoms(report, before)).toEqual([{ symptom: 'oedema', is: 'new' }]);
      }
    });

    it('name every one for which the rules are amber', () => {
      const grades = ['absent', 'mild', 'moderate', 'severe', 'unanswered', undefined] as const;
      for (const symptom of ['wheeze', 'dizziness'] as const) {
        for (const [was, is] of grades.flatMap((one) => grades.map((other) => [one, other] as const))) {
          const reports = [
            reportOf({ answers: { [symptom]: is } }),
            reportOf({ answers: { [symptom]: was } }),
          ] as const;
          const named = changedSymptoms(...reports).map((changed) => changed.symptom);
          expect(raisedBy(...reports)?.priority === 'medium' ? named : [symptom]).toEqual([symptom]);
        }
      }
    });
  });
});
