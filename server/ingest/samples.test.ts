import fc from 'fast-check';
import type { AlertItem, AlertsPage } from '../../lib/alerts/schema';
import type { Patient } from '../../lib/patients/schema';
import { parseInstant } from '../../lib/time/parseInstant';
import { toInstant } from '../../lib/time/schema';
import { kinds, type VitalKind, vitalKinds } from '../../lib/vitals/kinds';
import type { Quality, RejectionCode } from '../../lib/vitals/schema';
import { apiEngines } from '../../test/database';
import { patientRow } from '../../test/patientRow';
import { restartableTestServer, sharedTestServer } from '../../test/sharedServer';
import { type Caller, startOfTest as now, type TestServer } from '../../test/testServer';
import { LiveState } from '../liveState';
import { isOfStatingSource, qualityOf } from '../vitals/qualityCode';
import { type Sample, seriesKey } from '../vitals/sample';
import { type Arrival, checkSample, type Rejection } from './checkSample';
import { fittingRows, rowsAtLeast, rowsAtMost } from './fittingRows';
import { partsOf, rowsPerPart } from './partsOf';
import { peekTimes } from './peekTimes';
import { newRequest } from './writer';

type Row = [string, number, Partial<Arrival>, [number, number] | null, number];

describe('checkSample', () => {
  const fiveMinutes = 300_000;

  const liveState = new LiveState();
  liveState.putPatient(patientRow(1, 1, 'M-1'));
  liveState.putPatient(patientRow(2, 1, 'M-2', { state: 'discharged' }));
  liveState.putPatient(patientRow(3, 2, 'M-3'));
  liveState.putPatient(patientRow(4, 2, 'M-1'));
  liveState.putPatient(patientRow(5, 1, 'M-é'));

  const good = { mrn: 'M-1', kind: 'spo2', value: 97, takenAt: toInstant(now) };

  function judge(raw: unknown, arrival: Partial<Arrival> = {}, ofWard: LiveState = liveState): Sample | Rejection {
    const text =
      typeof raw === 'object' && raw !== null && 'takenAt' in raw && typeof raw.takenAt === 'string' ? raw.takenAt : '';
    return checkSample(
      raw,
      parseInstant(text),
      {
        deviceId: 7,
        siteId: 1,
        receivedAt: now,
        offsetMs: 0,
        isClockKnown: true,
        isClockEstablished: true,
        token: null,
        stating: new Map<number, number>(),
        ...arrival,
      },
      ofWard,
    );
  }

  /** The code of a refusal, or null for a sample that is taken. */
  function codeOf(judged: Sample | Rejection): RejectionCode | null {
    return 'code' in judged ? judged.code : null;
  }

  function taken(judged: Sample | Rejection): Sample {
    if ('code' in judged) {
      throw new Error(`refused: ${judged.code}, ${judged.message}`);
    }
    return judged;
  }

  describe('checkSample refuses', () => {
    it.each<[string, unknown, RejectionCode]>([
      ['null', null, 'malformed_sample'],
      ['a number', 97, 'malformed_sample'],
      ['a list', [good], 'malformed_sample'],
      ['an empty object', {}, 'malformed_sample'],
      ['no kind', { ...good, kind: undefined }, 'malformed_sample'],
      ['a kind that is no text', { ...good, kind: 1 }, 'malformed_sample'],
      ['no value', { ...good, value: undefined }, 'malformed_sample'],
      ['a value that is null', { ...good, value: null }, 'malformed_sample'],
      ['a value that is a list', { ...good, value: [97] }, 'malformed_sample'],
      ['a takenAt that is a number', { ...good, takenAt: now }, 'malformed_sample'],
      ['no takenAt', { ...good, takenAt: undefined }, 'malformed_sample'],
      ['a quality that does not exist', { ...good, quality: 'excellent' }, 'malformed_sample'],
      ['a quality that is null', { ...good, quality: null }, 'malformed_sample'],
      ['both mrn and patientId', { ...good, patientId: 1 }, 'malformed_sample'],
      ['neither mrn nor patientId', { ...good, mrn: undefined }, 'malformed_sample'],
      ['an empty mrn', { ...good, mrn: '' }, 'malformed_sample'],
      ['an mrn of 65 characters', { ...good, mrn: 'x'.repeat(65) }, 'malformed_sample'],
      ['a patientId that is text', { ...good, mrn: undefined, patientId: '1' }, 'malformed_sample'],
      ['a patientId of 0', { ...good, mrn: undefined, patientId: 0 }, 'malformed_sample'],
      ['a patientId with a fraction', { ...good, mrn: undefined, patientId: 1.5 }, 'malformed_sample'],
      [
        'a patientId past what a number holds exactly',
        { ...good, mrn: undefined, patientId: 2 ** 53 },
        'malformed_sample',
      ],
      ['an unknown mrn', { ...good, mrn: 'M-9' }, 'unknown_patient'],
      ['an mrn that only another site has', { ...good, mrn: 'M-3' }, 'unknown_patient'],
      ['an unknown patientId', { ...good, mrn: undefined, patientId: 99 }, 'unknown_patient'],
      ['a patientId of another site', { ...good, mrn: undefined, patientId: 3 }, 'other_site_patient'],
      ['a discharged patient', { ...good, mrn: 'M-2' }, 'discharged_patient'],
      ['a kind that does not exist', { ...good, kind: 'mood' }, 'unknown_kind'],
      ['a kind in other letters', { ...good, kind: 'SpO2' }, 'unknown_kind'],
      ['a name of every object', { ...good, kind: 'toString' }, 'unknown_kind'],
      ['a value as text', { ...good, value: '97' }, 'impossible_value'],
      ['an infinite value', { ...good, value: Number.POSITIVE_INFINITY }, 'impossible_value'],
      ['a letter for a number', { ...good, value: 'A' }, 'impossible_value'],
      ['a number for a letter', { ...good, kind: 'consciousness', value: 0 }, 'impossible_value'],
      ['a letter outside ACVPU', { ...good, kind: 'consciousness', value: 'X' }, 'impossible_value'],
      ['a small letter', { ...good, kind: 'consciousness', value: 'a' }, 'impossible_value'],
      ['30 February', { ...good, takenAt: '2026-02-30T10:00:00Z' }, 'unparsable_time'],
      ['a time without an offset', { ...good, takenAt: '2026-05-01T10:00:00' }, 'unparsable_time'],
      ['an empty time', { ...good, takenAt: '' }, 'unparsable_time'],
      ['a time of 41 characters', { ...good, takenAt: `2026-05-01T10:00:00.${'0'.repeat(20)}Z` }, 'unparsable_time'],
    ])('%s', (_, raw, code) => {
      expect(codeOf(judge(raw))).toBe(code);
    });

    it('what is malformed with a sentence that begins with the field', () => {
      expect(judge(null)).toMatchObject({ message: expect.stringMatching(/^the sample: ./) as string });
      expect(judge({ ...good, value: null })).toMatchObject({ message: expect.stringMatching(/^value: ./) as string });
    });

    it('a time more than 5 min ahead after the clock is corrected, and not one of exactly 5 min', () => {
      for (const offsetMs of [0, -3_600_000, 3_600_000]) {
        const ahead = (ms: number) => judge({ ...good, takenAt: toInstant(now - offsetMs + ms) }, { offsetMs });
        expect(codeOf(ahead(fiveMinutes + 1))).toBe('time_in_future');
        expect(codeOf(ahead(fiveMinutes))).toBeNull();
      }
    });

    it('a time that lies before 1970 after the clock is corrected, because no answer could show its age', () => {
      expect(codeOf(judge({ ...good, takenAt: '1970-01-01T00:00:59.999Z' }, { offsetMs: -60_000 }))).toBe(
        'unparsable_time',
      );
      expect(codeOf(judge({ ...good, takenAt: '1970-01-01T00:01:00.000Z' }, { offsetMs: -60_000 }))).toBeNull();
    });

    it('with a message that names the field and never repeats what was sent', () => {
      const judged = judge({ ...good, mrn: 'Ann Example', value: -5 });
      expect(judged).toEqual({ code: 'unknown_patient', message: 'no patient has this mrn' });
    });
  });

  describe('checkSample takes', () => {
    it.each(vitalKinds.filter((kind) => kind !== 'consciousness'))(
      '%s outside what can be measured as none',
      (kind) => {
        const { min, max } = kinds[kind].plausible;
        for (const value of [min - 0.001, max + 0.001, -999, 1e300]) {
          for (const quality of [undefined, 'good'] as const) {
            const { value: stored, quality: code } = taken(judge({ ...good, kind, value, quality }));
            expect([stored, qualityOf(code)]).toEqual([min, 'invalid']);
          }
        }
      },
    );

    it('a sample as the store keeps it', () => {
      expect(judge({ ...good, quality: 'questionable' }, { offsetMs: 12 })).toEqual({
        minute: now / 60_000,
        patientId: 1,
        kind: 1,
        takenAt: now,
        deviceId: 7,
        siteId: 1,
        value: 97,
        quality: 1,
        receivedAt: now,
        offsetMs: 12,
      });
    });

    describe('for the minute of our clock', () => {
      const [minuteMs, hourMs] = [60_000, 3_600_000];
      const guess = { isClockEstablished: false };
      /** Returns the minute, from that of `now`, of a sample that its device says was taken so long before or after. */
      const minuteOf = (
        sentMs: number,
        arrival: Partial<Arrival>,
        before: [sentMs: number, offsetMs: number] | null,
      ) => {
        const ward = new LiveState();
        ward.putPatient(patientRow(1, 1, 'M-1'));
        if (before !== null) {
          ward.takeSample(
            taken(judge({ ...good, takenAt: toInstant(now + before[0]) }, { offsetMs: before[1] }, ward)),
          );
        }
        const sample = { ...good, patientId: 1, mrn: undefined, takenAt: toInstant(now + sentMs) };
        return (taken(judge(sample, arrival, ward)).minute * minuteMs - now) / minuteMs;
      };

      it.each<Row>([
        ['of a right clock', 0, { offsetMs: 0 }, null, 0],
        ['of one that is off by less than a minute', -40_000, { offsetMs: 40_000 }, null, -1],
        ['of one that is an hour behind', -hourMs, { offsetMs: hourMs }, null, 0],
        ['of one that is an hour ahead', hourMs, { offsetMs: -hourMs }, null, 0],
        [
          'of one whose offset is a little another one now',
          -hourMs,
          { offsetMs: hourMs - 40_000 },
          [-hourMs - 1, hourMs],
          0,
        ],
        ['of one that was set right', 0, { offsetMs: 0 }, [-hourMs, hourMs], 0],
        ['of one that was set back', -hourMs, { offsetMs: hourMs }, [0, 0], 0],
        ['of one that was set back, of HL7, which is a guess', -hourMs, { offsetMs: hourMs, ...guess }, [0, 0], 0],
      ])('%s', (_, sentMs, arrival, before, expected) => {
        expect(minuteOf(sentMs, arrival, before)).toBe(expected);
      });

      it.each<Row>([
        ['of a guess', -hourMs, { offsetMs: hourMs + 2 * minuteMs, ...guess }, [-hourMs, hourMs], 0],
        ['after the clock was set forward', -hourMs, { offsetMs: 0 }, [-hourMs, hourMs], 0],
      ])('of what was sent before, whose offset was another one: %s', (_, sentMs, arrival, before, expected) => {
        expect(minuteOf(sentMs, arrival, before)).toBe(expected);
      });
    });

    it('a patient by patientId, or by an MRN of the device’s site, also with blanks or decomposed letters', () => {
      expect(taken(judge(good)).patientId).toBe(1);
      expect(taken(judge(good, { siteId: 2 })).patientId).toBe(4);
      expect(taken(judge({ ...good, mrn: undefined, patientId: 1 })).patientId).toBe(1);
      expect(taken(judge({ ...good, mrn: ' M-1 ' })).patientId).toBe(1);
      expect(taken(judge({ ...good, mrn: 'M-e\u0301' })).patientId).toBe(5);
    });

    it.each(vitalKinds.filter((kind) => kind !== 'consciousness'))(
      '%s at both ends of what can be measured',
      (kind) => {
        const { min, max } = kinds[kind].plausible;
        for (const value of [min, max]) {
          expect(taken(judge({ ...good, kind, value })).value).toBe(value);
        }
      },
    );

    it('the letters of consciousness as their place in ACVPU', () => {
      const places = ['A', 'C', 'V', 'P', 'U'].map(
        (value) => taken(judge({ ...good, kind: 'consciousness', value })).value,
      );
      expect(places).toEqual([0, 1, 2, 3, 4]);
    });

    it.each<[VitalKind, number, Quality]>([
      ['heartRate', 0, 'good'],
      ['heartRate', 19, 'good'],
      ['respiratoryRate', 0, 'good'],
      ['spo2', 0, 'invalid'],
      ['spo2', 0.9, 'invalid'],
      ['spo2', 1, 'good'],
      ['pulseRate', 0, 'invalid'],
      ['pulseRate', 19, 'invalid'],
      ['pulseRate', 20, 'good'],
    ])('%s %d as %s', (kind, value, quality) => {
      for (const stated of [undefined, 'good' as const]) {
        const sample = taken(judge({ ...good, kind, value, quality: stated }));
        expect([sample.value, qualityOf(sample.quality)]).toEqual([value, quality]);
      }
    });

    it('a missing quality as good from a source that never states one', () => {
      const sample = taken(judge(good));
      expect(qualityOf(sample.quality)).toBe('good');
      expect(isOfStatingSource(sample.quality)).toBe(false);
    });

    it('a missing quality as questionable from a source that stated one before, for this patient and kind', () => {
      const stated = new LiveState();
      stated.putPatient(patientRow(1, 1, 'M-1'));
      stated.putPatient(patientRow(2, 1, 'M-2'));
      stated.takeSample(taken(judge({ ...good, quality: 'questionable' })));
      const qualityFrom = (raw: unknown, arrival: Partial<Arrival> = {}) =>
        qualityOf(taken(judge(raw, arrival, stated)).quality);
      expect(qualityFrom(good)).toBe('questionable');
      expect(qualityFrom({ ...good, quality: 'good' })).toBe('good');
      expect(qualityFrom({ ...good, mrn: 'M-2' })).toBe('good');
      expect(qualityFrom({ ...good, kind: 'heartRate', value: 70 })).toBe('good');
      expect(qualityFrom(good, { deviceId: 8 })).toBe('good');
    });

    it('a missing quality as questionable if one was stated earlier in the call, and remembers that source', () => {
      const sample = taken(judge(good, { stating: new Map([[seriesKey(1, kinds.spo2.code), now]]) }));
      expect(qualityOf(sample.quality)).toBe('questionable');
      expect(isOfStatingSource(sample.quality)).toBe(true);
    });
  });
});

describe('how many rows share a transaction', () => {
  /** The rows of each transaction while more wait than fit; a row takes `perRowMs`, the flush does not count. */
  function rowsOver(transactions: number, perRowMs: number): number {
    let fit = rowsAtMost;
    for (let one = 0; one < transactions; one += 1) {
      fit = fittingRows(fit, fit, fit * perRowMs);
    }
    return fit;
  }

  it('are fewer where a row takes long, and never fewer than one part of a call', () => {
    expect([rowsOver(5, 0.02), rowsOver(5, 10)]).toEqual([500, rowsAtLeast]);
  });

  it('are as many as may be where only the flush takes long', () => {
    expect(rowsOver(5, 0.005)).toBe(rowsAtMost);
  });

  it('grow to twice as many at most with one transaction', () => {
    expect([fittingRows(500, 500, 1), fittingRows(500, 500, -3)]).toEqual([1_000, 1_000]);
  });

  it('are not judged by a transaction of a few rows', () => {
    expect(fittingRows(1_000, 3, 9)).toBe(1_000);
  });
});

describe('the parts of a call', () => {
  const sampleAt = (takenAt: number): Sample => ({
    minute: 0,
    patientId: 1,
    kind: 1,
    takenAt,
    deviceId: 1,
    siteId: 1,
    value: 97,
    quality: 0,
    receivedAt: 0,
    offsetMs: 0,
  });
  const isLate = ({ takenAt }: Sample): boolean => takenAt % 3 === 0;
  const anyRequest = fc
    .record({
      samples: fc.nat(1_300),
      quarantined: fc.nat(1_300),
      corrected: fc.array(fc.nat(1_299), { maxLength: 5 }),
    })
    .map(({ samples, quarantined, corrected }) =>
      newRequest({
        samples: Array.from({ length: samples }, (_, index) => sampleAt(index)),
        replaced: corrected.filter((by) => by < samples).map((by) => ({ sample: sampleAt(by), by })),
        quarantined: Array.from({ length: quarantined }, (_, index) => ({
          siteId: 1,
          deviceId: 1,
          receivedAt: 0,
          code: String(index),
          sample: '',
        })),
        isClockEstablished: true,
      }),
    );

  it('hold every row once, few in each, live samples first, and what a sample replaced beside it', () => {
    fc.assert(
      fc.property(anyRequest, (request) => {
        const parts = partsOf(request, isLate);
        const places = parts.flatMap((part) => part.places);
        expect([...places].sort((a, b) => a - b)).toEqual(request.samples.map((_, index) => index));
        expect(parts.flatMap((part) => part.request.samples)).toEqual(places.map((place) => request.samples[place]));
        expect(parts.flatMap((part) => part.request.quarantined)).toEqual(request.quarantined);
        const replaced = parts.flatMap((part) =>
          part.request.replaced.map(({ sample, by }) => [sample, part.request.samples[by]]),
        );
        expect(replaced).toHaveLength(request.replaced.length);
        for (const [sample, by] of replaced) {
          expect(by?.takenAt).toBe(sample?.takenAt);
        }
        for (const part of parts) {
          expect(part.rows).toBe(part.request.samples.length + part.request.quarantined.length);
          expect(part.request.samples.length).toBeLessThanOrEqual(rowsPerPart);
          expect(part.request.quarantined.length).toBeLessThanOrEqual(rowsPerPart);
          expect(part.request.samples.every((sample) => isLate(sample) === part.isLate)).toBe(true);
        }
        const lateness = parts.filter((part) => part.places.length > 0).map((part) => part.isLate);
        expect(lateness).toEqual([...lateness].sort());
      }),
      { numRuns: 50 },
    );
  });
});

describe('peekTimes', () => {
  const at = Date.parse('2026-03-01T08:00:00.000Z');
  const sample = (takenAt: string): object => ({ patientId: 1, kind: 'spo2', value: 97, takenAt });

  it.each([
    ['a call', JSON.stringify({ sentAt: '2026-03-01T08:00:00Z', samples: [sample('2026-03-01T09:00:00+01:00')] })],
    ['a call with blanks', '{ "sentAt" : "2026-03-01T08:00:00Z",\n"samples": [{"takenAt"\t: "2026-03-01T08:00:00Z"}]}'],
    ['a call that is cut', '{"sentAt":"2026-03-01T08:00:00Z","samples":[{"takenAt":"2026-03-01T08:00:00Z"'],
  ])('reads the times of %s', (_, text) => {
    expect(peekTimes(text)).toEqual({ sentAt: at, takenAt: [at] });
  });

  it('says null of what is no instant, and nothing of what is no text', () => {
    expect(peekTimes('{"samples":[{"takenAt":"yesterday"},{"takenAt":5},{"takenAt":null}]}')).toEqual({
      sentAt: null,
      takenAt: [null],
    });
  });

  it('reads any text', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (before, inside) => {
        expect(peekTimes(`${before}"takenAt":"${inside}`).takenAt.length).toBeLessThanOrEqual(2);
      }),
    );
  });
});

describe('deviceClocks', () => {
  const second = 1_000;
  const minute = 60 * second;

  describe.each(apiEngines)('a device that does not send its own time, on %s', (engine) => {
    let test: TestServer;
    let site: number;
    let nurse: Caller;
    let patient: number;
    let device: { id: number; token: string };

    beforeAll(async () => {
      test = await restartableTestServer(engine);
    });
    beforeEach(async () => {
      await test.stopRules();
      site = await test.addSite();
      await test.startRules(site);
      nurse = await test.signIn(site, 'nurse');
      patient = await test.addPatient(site);
      device = await test.addDevice(site, { isClockKnown: false, expectedEveryMs: second });
    });

    /** Sends a value that was measured just now by a clock that is `slowMs` behind. */
    const send = async (value: number, slowMs: number, to = patient, from = device): Promise<void> => {
      const takenAt = toInstant(test.now() - slowMs);
      const answer = await test.ingest(from.token, [{ patientId: to, kind: 'spo2', value, takenAt, quality: 'good' }]);
      expect(answer.json()).toMatchObject({ accepted: 1 });
      await test.server.alerts.evaluateClock();
    };
    const stored = () =>
      test.store.db.selectFrom('samples').select('taken_at').where('patient_id', '=', patient).execute();
    const shown = async (id = patient) =>
      (await nurse.call('GET', `/api/v2/patients/${id}`)).json<Patient>().latest.spo2;
    const alertOf = async (id = patient): Promise<AlertItem | undefined> =>
      (await nurse.call('GET', `/api/v2/alerts?patientId=${id}`))
        .json<AlertsPage>()
        .items.find(({ parameter }) => parameter === 'spo2');

    it('shows its first value with an unknown age, and knows its clock from the second call on', async () => {
      await send(97, 5 * minute);
      await expect(shown()).resolves.toMatchObject({
        ageUnknown: true,
        quality: 'questionable',
        asOf: toInstant(test.now()),
      });
      test.advance(6 * second);
      await send(97, 5 * minute);
      const after = await shown();
      expect(after).toMatchObject({ quality: 'good', asOf: toInstant(test.now()) });
      expect(after).not.toHaveProperty('ageUnknown');
    });

    it('has the offset of its clock stored once, and again when it has changed', async () => {
      const devices = () => test.server.store.db.updateTable('devices').where('id', '=', device.id);
      const stored = async () =>
        (await devices().set({ name: 'Monitor' }).returning('clock_offset_ms').executeTakeFirstOrThrow())
          .clock_offset_ms;
      // As the values of an HL7 sender come, without a call of the device.
      const record = async (slowMs: number): Promise<void> => {
        const [receivedAt, takenAt] = [test.now(), toInstant(test.now() - slowMs)];
        const samples = [{ patientId: patient, kind: 'spo2', value: 97, takenAt, quality: 'good' }];
        const call = { deviceId: device.id, siteId: site, receivedAt, sentAt: undefined, battery: null, samples };
        await expect(test.server.recorder.record(call)).resolves.toMatchObject({ accepted: 1 });
        test.advance(6 * second);
      };
      await send(97, 5 * minute);
      test.advance(6 * second);
      await record(5 * minute);
      await expect(stored()).resolves.toBe(5 * minute);
      // What is stored here only shows whether it is stored again.
      await devices().set({ clock_offset_ms: 1 }).execute();
      await record(5 * minute);
      await expect(stored()).resolves.toBe(1);
      await record(5 * minute - 2 * second);
      await expect(stored()).resolves.toBe(5 * minute - 2 * second);
    });

    it('5 min slow with a value a minute raises HIGH with the second low value, also after each restart', async () => {
      device = await test.addDevice(site, { isClockKnown: false, expectedEveryMs: minute });
      for (let count = 0; count < 3; count += 1) {
        await send(84, 5 * minute);
        test.advance(minute);
        await send(84, 5 * minute);
        await expect(alertOf()).resolves.toMatchObject({ priority: 'high', condition: 'active' });
        for (let value = 0; value < 6; value += 1) {
          test.advance(minute);
          await send(97, 5 * minute);
        }
        expect((await alertOf())?.condition ?? 'ended').toBe('ended');
        await test.restart();
        test.advance(10 * minute);
        nurse = await test.signIn(site, 'nurse');
        await send(97, 5 * minute);
        await expect(shown()).resolves.toMatchObject({ quality: 'good', asOf: toInstant(test.now()) });
        test.advance(minute);
      }
    });

    it('takes no sample of a back-fill as just measured but the first, whose age stays unknown', async () => {
      const start = test.now();
      for (let call = 0; call < 6; call += 1) {
        test.advance(5 * second);
        // Ten minutes of the night in each call.
        const takenAt = toInstant(start - (60 - call * 10) * minute);
        await test.ingest(device.token, [{ patientId: patient, kind: 'spo2', value: 97, takenAt, quality: 'good' }]);
      }
      await expect(shown()).resolves.toMatchObject({ ageUnknown: true, asOf: toInstant(start + 5 * second) });
    });

    it.each([
      ['back', 30 * minute],
      ['forward', -4 * minute],
    ])('that sets its clock %s hides no alert of its own and none of another device', async (_, jumpMs) => {
      const other = await test.addPatient(site);
      const steady = await test.addDevice(site);
      const both = async (value: number, slowMs: number): Promise<void> => {
        test.advance(second);
        await send(value, slowMs);
        await send(value, 0, other, steady);
      };
      for (let count = 0; count < 30; count += 1) {
        await both(97, 0);
      }
      let [own, steadyAfter] = [Infinity, Infinity];
      for (let count = 1; count <= 40; count += 1) {
        await both(70, jumpMs);
        own = own === Infinity && (await alertOf()) !== undefined ? count : own;
        steadyAfter = steadyAfter === Infinity && (await alertOf(other)) !== undefined ? count : steadyAfter;
      }
      expect(steadyAfter).toBeLessThan(30);
      expect(own).toBeLessThanOrEqual(steadyAfter + 7);
    });

    describe.each([
      ['sends its own time', true],
      ['does not', false],
    ])('one that %s', (_, hasSentAt) => {
      /** The device's clock; no call is older than the second before. */
      let slowMs = 0;
      const bodyOf = (value: number, seconds = 1): [object[], { sentAt?: string }] => {
        const at = (ago: number): string => toInstant(test.now() - slowMs - ago * second);
        return [
          Array.from({ length: seconds }, (_unused, place) => ({
            patientId: patient,
            kind: 'spo2',
            value,
            takenAt: at(seconds - 1 - place),
            quality: 'good',
          })),
          hasSentAt ? { sentAt: at(0) } : {},
        ];
      };
      /** Sends a value a second, so many in a call; the server looks at its clock every ten seconds. */
      const run = async (seconds: number, value: number, perCall = 1): Promise<Record<string, number>> => {
        const sum: Record<string, number> = { accepted: 0, duplicates: 0, corrections: 0 };
        for (let count = perCall; count <= seconds; count += perCall) {
          test.advance(perCall * second);
          const answer = (await test.ingest(device.token, ...bodyOf(value, perCall))).json<Record<string, number>>();
          for (const key of Object.keys(sum)) {
            sum[key] = (sum[key] ?? 0) + (answer[key] ?? 0);
          }
          if (count % 10 === 0) {
            await test.server.alerts.evaluateClock();
          }
        }
        return sum;
      };
      beforeEach(() => {
        slowMs = 0;
      });

      it('and sets its clock back shows the same times again: its values are new, and replace none', async () => {
        await run(60, 97);
        await run(30, 84);
        const first = await alertOf();
        expect(first).toMatchObject({ priority: 'high', condition: 'active' });
        await run(510, 97, 10);
        await expect(alertOf()).resolves.toMatchObject({ id: first?.id, condition: 'ended' });
        slowMs += 600 * second;
        // Until two calls agree about the clock the times may be those of calls that are sent again.
        await run(60, 97);
        await expect(shown()).resolves.toMatchObject({ quality: 'good', asOf: toInstant(test.now()) });
        await expect(run(30, 84)).resolves.toEqual({ accepted: 30, duplicates: 0, corrections: 0 });
        await expect(alertOf()).resolves.toMatchObject({ priority: 'high', condition: 'active' });
        await test.restart();
        nurse = await test.signIn(site, 'nurse');
        expect((await run(30, 97)).accepted).toBeGreaterThanOrEqual(24);
        const rows = await stored();
        // At most the first six of the sixty, and of those after the restart, are taken for repeats.
        expect(rows.length).toBeGreaterThanOrEqual(600 + 54 + 30 + 24);
      });

      it('and sends a call again and again is not one whose clock was set back', async () => {
        await run(20, 97);
        test.advance(second);
        const call = bodyOf(84);
        expect((await test.ingest(device.token, ...call)).json()).toMatchObject({ accepted: 1 });
        for (let count = 0; count < 30; count += 1) {
          test.advance(2 * second);
          expect((await test.ingest(device.token, ...call)).json()).toMatchObject({ accepted: 0, duplicates: 1 });
        }
        const again = hasSentAt ? { sentAt: toInstant(test.now()) } : {};
        const answer = await test.ingest(device.token, call[0], again);
        expect(answer.json()).toMatchObject({ accepted: 0, duplicates: 1 });
        await expect(stored()).resolves.toHaveLength(21);
      });
    });
  });

  describe.each(apiEngines)(
    'a gateway that stamps its calls by another clock than the monitor its samples, on %s',
    (engine) => {
      it.each([
        ['calls are 10 min ahead', -10 * minute, 0],
        ['calls are 90 s ahead', -90 * second, 0],
        ['calls are 10 min behind', 10 * minute, 0],
        ['samples are 10 min behind', 0, 10 * minute],
      ])('hides no alert: %s', async (_, gatewaySlowMs, monitorSlowMs) => {
        const test = await sharedTestServer(engine);
        const site = await test.addSite();
        await test.startRules(site);
        const nurse = await test.signIn(site, 'nurse');
        const patient = await test.addPatient(site);
        const device = await test.addDevice(site, { isClockKnown: false, expectedEveryMs: second });
        const send = async (value: number): Promise<void> => {
          test.advance(second);
          const takenAt = toInstant(test.now() - monitorSlowMs);
          const sentAt = toInstant(test.now() - gatewaySlowMs);
          const sample = { patientId: patient, kind: 'spo2', value, takenAt, quality: 'good' };
          await test.ingest(device.token, [sample], { sentAt });
          await test.server.alerts.evaluateClock();
        };
        for (let count = 0; count < 45; count += 1) {
          await send(97);
        }
        for (let count = 0; count < 60; count += 1) {
          await send(70);
        }
        const { latest } = (await nurse.call('GET', `/api/v2/patients/${patient}`)).json<Patient>();
        expect(latest.spo2).toMatchObject({ value: 70, ageUnknown: true, asOf: toInstant(test.now()) });
        const { items } = (await nurse.call('GET', `/api/v2/alerts?patientId=${patient}`)).json<AlertsPage>();
        expect(items.find(({ parameter }) => parameter === 'spo2')).toMatchObject({
          priority: 'high',
          condition: 'active',
        });
      });
    },
  );
});
