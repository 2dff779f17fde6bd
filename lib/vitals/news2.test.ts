import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import { z } from 'zod';
import { consciousnessLevels, kinds } from './kinds';
import { news2 } from './news2';
import { type News2Kind, news2Kinds } from './news2Kinds';
import { type News2, news2Response } from './news2Schema';
import { ownStep } from './ownStep';
import type { LatestValue, LatestValues } from './schema';

describe('news2', () => {
  const now = Date.parse('2026-05-01T10:00:00Z');
  const minute = 60_000;

  /** Values by kind; consciousness as its letter's place. */
  type Values = Partial<Record<News2Kind, number>>;

  function latestOf(
    kind: News2Kind,
    value: number,
    change: Partial<LatestValue> & { ageMs?: number } = {},
  ): LatestValue {
    const { ageMs = 0, ...rest } = change;
    const instant = new Date(now - ageMs).toISOString();
    return {
      value,
      unit: kinds[kind].unit,
      takenAt: instant,
      receivedAt: instant,
      asOf: instant,
      quality: 'good',
      source: 'monitor',
      expectedEveryMs: kinds[kind].expectedEveryMs,
      lastValid: null,
      ...rest,
    };
  }
  function latestValues(values: Values): LatestValues {
    return Object.fromEntries(
      news2Kinds.flatMap((kind) => (values[kind] === undefined ? [] : [[kind, latestOf(kind, values[kind])]])),
    );
  }
  const score = (values: Values, scale: 1 | 2 = 1): News2 => news2(latestValues(values), scale, now);
  const level = (letter: (typeof consciousnessLevels)[number]): number => consciousnessLevels.indexOf(letter);

  /** Scores 0 on both scales. */
  const well = (scale: 1 | 2 = 1): Values => ({
    respiratoryRate: 16,
    spo2: scale === 1 ? 98 : 90,
    oxygenFlow: 0,
    systolic: 120,
    pulseRate: 75,
    consciousness: level('A'),
    temperature: 37,
  });

  describe('the points of each part, on both sides of every edge', () => {
    it.each<[kind: News2Kind, edges: [value: number, points: number][]]>([
    ['respiratoryRate', [[0, 3], [8, 3], [8.4, 3], [8.5, 1], [9, 1], [11, 1], [11.5, 0], [12, 0], [20, 0],
      [20.4, 0], [20.5, 2], [21, 2], [24, 2], [24.5, 3], [25, 3], [150, 3]]],
    ['spo2', [[1, 3], [91, 3], [91.4, 3], [91.5, 2], [92, 2], [93, 2], [93.5, 1], [94, 1], [95, 1], [95.4, 1],
      [95.5, 0], [96, 0], [100, 0]]],
    ['systolic', [[0, 3], [90, 3], [90.5, 2], [91, 2], [100, 2], [100.5, 1], [101, 1], [110, 1], [110.5, 0],
      [111, 0], [219, 0], [219.4, 0], [219.5, 3], [220, 3], [370, 3]]],
    ['pulseRate', [[20, 3], [40, 3], [40.5, 1], [41, 1], [50, 1], [50.5, 0], [51, 0], [90, 0], [90.5, 1],
      [91, 1], [110, 1], [110.5, 2], [111, 2], [130, 2], [130.5, 3], [131, 3], [300, 3]]],
    ['temperature', [[10, 3], [35, 3], [35.04, 3], [35.05, 1], [35.1, 1], [36, 1], [36.05, 0], [36.1, 0],
      [38, 0], [38.04, 0], [38.05, 1], [38.1, 1], [39, 1], [39.05, 2], [39.1, 2], [46, 2]]],
    ['oxygenFlow', [[0, 0], [0.04, 2], [0.5, 2], [15, 2]]],
    ['consciousness', [[0, 0], [1, 3], [2, 3], [3, 3], [4, 3]]],
  ])('of %s', (kind, edges) => {
    const points = edges.map(([value]) => [value, score({ ...well(), [kind]: value }).parts[kind]?.points]);
    expect(points).toEqual(edges);
  }); // prettier-ignore

    it.each([
    ['air', 0, [[83, 3], [83.5, 2], [84, 2], [85, 2], [86, 1], [87, 1], [87.5, 0], [88, 0], [92, 0], [93, 0],
      [94, 0], [95, 0], [97, 0], [100, 0]]],
    ['oxygen', 2, [[83, 3], [84, 2], [85, 2], [86, 1], [87, 1], [88, 0], [92, 0], [92.5, 1], [93, 1], [94, 1],
      [94.5, 2], [95, 2], [96, 2], [96.5, 3], [97, 3], [100, 3]]],
  ])('of SpO2 on scale 2 on %s', (_, oxygenFlow, edges) => {
    const points = edges.map(([spo2 = 0]) => [spo2, score({ ...well(2), spo2, oxygenFlow }, 2).parts.spo2?.points]);
    expect(points).toEqual(edges);
  }); // prettier-ignore

    it('are those of the value that is shown', () => {
      expect(score({ ...well(), temperature: 38.05, spo2: 95.5 }).parts).toMatchObject({
        temperature: { value: 38.1 },
        spo2: { value: 96 },
      });
    });
  });

  describe('a complete score', () => {
    it.each([
    ['no part is abnormal', well(), 0, 'low'],
    ['four points come together', { ...well(), respiratoryRate: 21, systolic: 100 }, 4, 'low'],
    ['one part alone has three', { ...well(), consciousness: level('C') }, 3, 'low-medium'],
    ['four points hold a three', { ...well(), consciousness: level('P'), temperature: 36 }, 4, 'low-medium'],
    ['five points come together', { ...well(), respiratoryRate: 21, systolic: 100, pulseRate: 91 }, 5, 'medium'],
    ['six points come together', { ...well(), respiratoryRate: 21, systolic: 100, pulseRate: 111 }, 6, 'medium'],
    ['seven points come together', { ...well(), respiratoryRate: 21, systolic: 100, pulseRate: 111, spo2: 95 }, 7,
      'high'],
    ['everything is at its worst', { respiratoryRate: 8, spo2: 91, oxygenFlow: 2, systolic: 90, pulseRate: 131,
      consciousness: level('U'), temperature: 35 }, 20, 'high'],
  ] as const)('where %s', (_, values, total, band) => {
    const range = [total, total];
    expect(score(values)).toMatchObject({ complete: true, score: total, range, band, atLeast: null, missing: [] });
  }); // prettier-ignore

    it('names the pulse that it took: the oximeter’s, else that of the ECG', () => {
      const { pulseRate, ...others } = well();
      expect(Object.keys(score({ ...others, pulseRate, heartRate: 140 }).parts)).not.toContain('heartRate');
      expect(score({ ...others, heartRate: 140 })).toMatchObject({
        score: 3,
        parts: { heartRate: { value: 140, points: 3 } },
      });
      const both = {
        ...latestValues({ ...well(), heartRate: 140 }),
        pulseRate: latestOf('pulseRate', 0, { quality: 'invalid' }),
      };
      expect(news2(both, 1, now).parts).toHaveProperty('heartRate');
    });
  });

  it.each<[string, News2Kind, { isUncertain?: true }, number, number | null]>([
    ['counts the last pressure after a failed one', 'systolic', {}, 59, 3],
    ['counts none that is too old', 'systolic', {}, 61, null],
    ['counts none that was uncertain', 'systolic', { isUncertain: true }, 59, null],
    ['counts none of a probe that is off', 'spo2', {}, 1, null],
  ])('%s', (_, kind, more, ageMinutes, points) => {
    const at = new Date(now - ageMinutes * minute).toISOString();
    const lastValid = { value: 88, takenAt: at, asOf: at, ...more };
    const { parts } = news2({ [kind]: latestOf(kind, -999, { quality: 'invalid', lastValid }) }, 1, now);
    expect(parts[kind]?.points ?? null).toBe(points);
  });

  describe('an incomplete score', () => {
    it.each([
      ['SpO2 and pulse prove a medium risk', 1, { spo2: 91, pulseRate: 112 }, [5, 19], 'medium'],
      ['nothing is proved by two good values', 1, { spo2: 97, pulseRate: 72 }, [0, 14], null],
      ['two parts never prove a high risk', 1, { spo2: 90, pulseRate: 135 }, [6, 20], 'medium'],
      ['oxygen decides SpO2 on scale 2 and is not known', 2, { spo2: 95, pulseRate: 72 }, [0, 16], null],
      ['oxygen is known', 2, { spo2: 95, pulseRate: 72, oxygenFlow: 1 }, [4, 16], null],
      ['one part alone has three', 1, { respiratoryRate: 26, spo2: 97, pulseRate: 72 }, [3, 14], 'low-medium'],
      ['three parts prove a high risk', 1, { respiratoryRate: 26, spo2: 90, pulseRate: 91 }, [7, 18], 'high'],
      ['nothing is known', 1, {}, [0, 20], null],
    ] as const)('where %s', (_, scale, values, range, atLeast) => {
      expect(score(values, scale)).toMatchObject({ complete: false, score: null, band: 'unknown', range, atLeast });
    });

    it('names what is missing, the pulse once', () => {
      expect(score({}).missing).toEqual([
        'respiratoryRate',
        'spo2',
        'oxygenFlow',
        'systolic',
        'pulseRate',
        'consciousness',
        'temperature',
      ]);
      expect(score({ heartRate: 70, spo2: 0 }).missing).not.toContain('pulseRate');
    });

    it('leaves the points of SpO2 open while oxygen decides them', () => {
      expect(score({ spo2: 95 }, 2).parts.spo2).toEqual({ value: 95, points: null });
      expect(score({ spo2: 92 }, 2).parts.spo2).toEqual({ value: 92, points: 0 });
    });
  });

  describe('a part that does not count', () => {
    const without = (kind: News2Kind, change: Partial<LatestValue> & { ageMs?: number }): readonly News2Kind[] =>
      news2({ ...latestValues(well()), [kind]: latestOf(kind, well()[kind] ?? 0, change) }, 1, now).missing;

    it.each([
      ['a spot reading of 60 min ago does', 'temperature', { ageMs: 60 * minute }, []],
      ['is one that is older than 60 min', 'temperature', { ageMs: 60 * minute + 1 }, ['temperature']],
      ['a monitor’s value that is still shown does', 'spo2', { ageMs: minute }, []],
      ['is one of a monitor that is withdrawn from the screen', 'spo2', { ageMs: minute + 1 }, ['spo2']],
      [
        'is one of a spot check at home after 60 min',
        'spo2',
        { ageMs: 60 * minute + 1, expectedEveryMs: 4 * 60 * minute },
        ['spo2'],
      ],
      ['is one without a signal', 'spo2', { quality: 'invalid' }, ['spo2']],
      ['is one whose signal is uncertain', 'spo2', { quality: 'questionable' }, ['spo2']],
      ['is one whose time cannot be read', 'systolic', { asOf: 'yesterday' }, ['systolic']],
      ['is an unknown level', 'consciousness', { value: 5 }, ['consciousness']],
    ] as const)('%s', (_, kind, change, missing) => {
      expect(without(kind, change)).toEqual(missing);
    });
  });

  describe('whatever is known', () => {
    const value: { [Kind in News2Kind]: fc.Arbitrary<number> } = {
      respiratoryRate: fc.double({ min: 0, max: 60, noNaN: true }),
      spo2: fc.double({ min: 60, max: 100, noNaN: true }),
      oxygenFlow: fc.oneof(fc.constant(0), fc.double({ min: 0.1, max: 15, noNaN: true })),
      systolic: fc.double({ min: 50, max: 260, noNaN: true }),
      pulseRate: fc.double({ min: 20, max: 200, noNaN: true }),
      heartRate: fc.double({ min: 0, max: 200, noNaN: true }),
      consciousness: fc.integer({ min: 0, max: 4 }),
      temperature: fc.double({ min: 33, max: 42, noNaN: true }),
    };
    const { heartRate: _, ...seven } = value;
    const some = fc.record(seven, { requiredKeys: [] });
    const all = fc.record(seven);
    const scale = fc.constantFrom(1 as const, 2 as const);
    const bands = ['low', 'low-medium', 'medium', 'high', 'unknown'];

    it('the interval holds the score of every completion, and no completion is below what was proved', () => {
      fc.assert(
        fc.property(some, all, scale, (known, rest, on) => {
          const partial = score(known, on);
          const complete = score({ ...rest, ...known }, on);
          expect(complete.complete).toBe(true);
          expect(complete.score).toBeGreaterThanOrEqual(partial.range[0]);
          expect(complete.score).toBeLessThanOrEqual(partial.range[1]);
          expect(bands.indexOf(complete.band)).toBeGreaterThanOrEqual(bands.indexOf(partial.atLeast ?? 'low'));
        }),
      );
    });

    it('both ends of the interval can be reached', () => {
      fc.assert(
        fc.property(some, scale, (known, on) => {
          const { range } = score(known, on);
          const worst = {
            respiratoryRate: 8,
            spo2: 80,
            oxygenFlow: 2,
            systolic: 90,
            pulseRate: 131,
            consciousness: 4,
            temperature: 35,
          };
          expect([score({ ...well(on), ...known }, on).score, score({ ...worst, ...known }, on).score]).toEqual(range);
        }),
      );
    });

    it('a score is the sum of its parts and has a shape that others can read', () => {
      fc.assert(
        fc.property(all, scale, (values, on) => {
          const made = score(values, on);
          expect(made.score).toBe(
            Object.values(made.parts).reduce((sum, { points }) => sum + (points ?? Number.NaN), 0),
          );
          expect(news2Response.parse(made)).toEqual(made);
        }),
      );
    });

    it('nothing less than all seven is ever called low', () => {
      fc.assert(
        fc.property(some, scale, (known, on) => {
          const { complete, band, atLeast } = score(known, on);
          expect([complete, band === 'unknown', atLeast === 'low']).toEqual([
            Object.keys(known).length === 7,
            !complete,
            false,
          ]);
        }),
      );
    });
  });

  /** Published and computed examples, which are not part of this repository. */
  const folder = join(process.env.RECORDINGS_DIR ?? resolve(process.cwd(), '../shared/data'), 'news2-vectors');

  function describeIfThere(): typeof describe {
    if (existsSync(folder)) {
      return describe;
    }
    process.stderr.write(`news2: vectors skipped, because ${folder} is not there (RECORDINGS_DIR names another one)\n`);
    return describe.skip;
  }

  describeIfThere()('the vectors', () => {
    const read = (file: string): string => (existsSync(folder) ? readFileSync(join(folder, file), 'utf8') : '[]');
    const letters = z.enum(consciousnessLevels);
    const input = z.object({
      rr: z.number(),
      spo2: z.number(),
      sbp: z.number(),
      hr: z.number(),
      temp: z.number(),
      o2: z.boolean(),
    });
    const valuesOf = (
      { rr, spo2, sbp, hr, temp, o2 }: z.infer<typeof input>,
      acvpu: z.infer<typeof letters>,
    ): Values => ({
      respiratoryRate: rr,
      spo2,
      oxygenFlow: o2 ? 2 : 0,
      systolic: sbp,
      pulseRate: hr,
      consciousness: level(acvpu),
      temperature: temp,
    });
    const points = ({ parts }: News2, kind: News2Kind): number | null | undefined => parts[kind]?.points;

    it('of the clinical models agree, part by part', () => {
      const sub = z.object({ rr: z.int(), spo2: z.int(), temp: z.int(), sbp: z.int(), hr: z.int() });
      const cases = z
        .array(
          z.object({
            id: z.string(),
            input: input.extend({ consciousness_raw: z.string(), hypercapnic: z.boolean() }),
            expected: z.object({ total: z.int(), sub, clinical_risk: z.string() }),
          }),
        )
        .parse(JSON.parse(read('gdl2_news2.json')));
      const made = cases.map(({ id, input: given }) => {
        const one = score(valuesOf(given, given.consciousness_raw === 'Alert' ? 'A' : 'V'), given.hypercapnic ? 2 : 1);
        const { respiratoryRate: rr, spo2, temperature: temp, systolic: sbp, pulseRate: hr } = one.parts;
        return [id, one.score, one.band, [rr, spo2, temp, sbp, hr].map((part) => part?.points)];
      });
      expect(made).toEqual(
        cases.map(
          ({
            id,
            expected: {
              total,
              sub: { rr, spo2, temp, sbp, hr },
              clinical_risk: risk,
            },
          }) => [id, total, risk.toLowerCase(), [rr, spo2, temp, sbp, hr]],
        ),
      );
      expect(cases.length).toBeGreaterThan(0);
    });

    it('of other implementations agree with the chart, also where their source does not', () => {
      const cases = z
        .array(
          z.object({
            id: z.string(),
            input: input.extend({ acvpu: letters, scale: z.union([z.literal(1), z.literal(2)]) }),
            expected_in_source: z.looseObject({ total: z.int().optional() }),
            rcp_total: z.int(),
          }),
        )
        .parse(JSON.parse(read('repo_test_facts.json')));
      expect(cases.map(({ id, input: given }) => [id, score(valuesOf(given, given.acvpu), given.scale).score])).toEqual(
        cases.map(({ id, rcp_total: total }) => [id, total]),
      );
      expect(
        cases.filter(
          (one) => one.expected_in_source.total !== undefined && one.expected_in_source.total !== one.rcp_total,
        ).length,
      ).toBeGreaterThan(0);
    });

    it('of synthetic observations agree, part by part', () => {
      const [head = '', ...lines] = read('nhsr_inputs_peer_scored.csv').trim().split('\n');
      const names = head.split(',');
      const expected: unknown[] = [];
      const made = lines.map((line) => {
        const cells = line.split(',');
        const cell = (name: string): string => cells[names.indexOf(name)]?.trim() ?? '';
        const number = (name: string): number => Number(cell(name));
        const given = {
          rr: number('resp_rate'),
          spo2: number('spo2'),
          sbp: number('sbp'),
          hr: number('pulse'),
          temp: number('temp_c'),
          o2: cell('supp_o2') === '1',
        };
        const one = score(valuesOf(given, letters.parse(cell('acvpu'))));
        expected.push([
          cell('row'),
          number('expected_news2_scale1'),
          cell('rcp_risk_band'),
          ['s_rr', 's_spo2', 's_o2', 's_temp', 's_sbp', 's_pulse', 's_acvpu'].map(number),
        ]);
        const order = [
          'respiratoryRate',
          'spo2',
          'oxygenFlow',
          'temperature',
          'systolic',
          'pulseRate',
          'consciousness',
        ] as const;
        return [cell('row'), one.score, one.band, order.map((kind) => points(one, kind))];
      });
      expect(made).toEqual(expected);
      expect(made.length).toBeGreaterThan(0);
    });
  });
});

describe('the step that data keep', () => {
  it.each([
    ['none of one interval', [0, 60], null],
    ['the usual one', [0, 60, 120, 180], 60],
    ['not the one gap in it', [0, 1, 2, 60], 1],
    ['the smaller of two', [0, 1, 61], 1],
    ['up to five minutes', [0, 300, 600], 300],
    ['none of readings that are further apart', [0, 301, 602], null],
    ['none of nothing', [], null],
  ])('is %s: %j s', (_name, seconds, step) => {
    expect(ownStep(seconds.map((second) => second * 1_000))).toBe(step === null ? null : step * 1_000);
  });
});
