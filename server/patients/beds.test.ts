import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import type { Patient } from '../../lib/patients/schema';
import { engines } from '../../test/database';
import { sharedTestServer } from '../../test/sharedServer';
import type { Caller, TestServer } from '../../test/testServer';
import { bedKey, type BedMove, bedOf, BedStays, changingMs, keptMs } from './bedStays';

describe('bedStays', () => {
  const bed = '1 a';
  const other = '1 b';
  const minute = 60_000;
  /** 10:00, 1 May 2026. */
  const ten = Date.UTC(2026, 4, 1, 10);

  describe('who is in a bed', () => {
    it('is known by neither half of a place, nor of a patient who has left', () => {
      expect([bedKey(null, 'A'), bedKey(1, null)]).toEqual([null, null]);
      expect(bedOf({ unit_id: 1, bed: 'A', state: 'discharged' })).toBeNull();
      expect(bedOf({ unit_id: 1, bed: ' A', state: 'active' })).toBe(bed);
    });

    it('is no one in a bed that has never had a patient', () => {
      expect(new BedStays().occupantOf(bed, ten, ten)).toEqual({ code: 'empty_bed' });
    });

    it('is not said by a bed with two patients', () => {
      const stays = new BedStays();
      stays.take(1, null, bed, ten);
      stays.take(2, null, bed, ten);
      expect(stays.occupantOf(bed, ten + 60 * minute, ten + 60 * minute)).toEqual({ code: 'identity_conflict' });
    });

    it.each([
      ['1 ms inside the five minutes before', ten - changingMs, 'bed_changing'],
      ['earlier', ten - changingMs - 1, 'empty_bed'],
      ['at the admission', ten, 'bed_changing'],
      ['five minutes after', ten + changingMs, 'bed_changing'],
    ])('is not said near a change: %s', (_, at, code) => {
      const stays = new BedStays();
      stays.take(1, null, bed, ten);
      expect(stays.occupantOf(bed, at, at)).toEqual({ code });
    });

    it('is not said where the patient changed between the time of a value and its arrival', () => {
      const stays = new BedStays();
      stays.take(1, null, bed, ten - 300 * minute);
      stays.take(1, bed, other, ten);
      expect(stays.occupantOf(bed, ten - 60 * minute, ten + 60 * minute)).toEqual({ code: 'bed_changing' });
      expect(stays.occupantOf(bed, ten - 60 * minute, ten - 59 * minute)).toEqual({ patientId: 1 });
      expect(stays.occupantOf(bed, ten + 59 * minute, ten + 60 * minute)).toEqual({ code: 'empty_bed' });
      expect(stays.occupantOf(other, ten + 59 * minute, ten + 60 * minute)).toEqual({ patientId: 1 });
    });

    it('is the same after a start, by the patients of now and the moves of before', () => {
      const stays = new BedStays();
      stays.take(1, null, other, null);
      stays.load([{ patientId: 1, at: ten, from: bed, to: other }]);
      expect(stays.occupantOf(bed, ten - 60 * minute, ten - 60 * minute)).toEqual({ patientId: 1 });
      expect(stays.occupantOf(other, ten - 60 * minute, ten - 60 * minute)).toEqual({ code: 'empty_bed' });
      expect(stays.occupantOf(other, ten + 60 * minute, ten + 60 * minute)).toEqual({ patientId: 1 });
    });

    it('moves with a step of the clock', () => {
      const stays = new BedStays();
      stays.take(1, null, bed, ten);
      stays.moveClock(60 * minute, ten + 61 * minute);
      expect(stays.occupantOf(bed, ten + 60 * minute, ten + 60 * minute)).toEqual({ code: 'bed_changing' });
      expect(stays.occupantOf(bed, ten, ten)).toEqual({ code: 'empty_bed' });
    });

    it('counts as having been in a bed for five minutes after leaving it', () => {
      const stays = new BedStays();
      stays.take(1, null, bed, ten - 60 * minute);
      stays.take(1, bed, other, ten);
      expect(stays.wasIn(1, bed, ten + changingMs)).toBe(true);
      expect(stays.wasIn(1, bed, ten + changingMs + 1)).toBe(false);
      expect(stays.wasIn(1, other, ten + 300 * minute)).toBe(true);
      expect(stays.wasIn(2, other, ten)).toBe(false);
    });

    it('was elsewhere only in the time that is asked for, and nowhere else without a bed', () => {
      const stays = new BedStays();
      stays.take(1, null, bed, ten);
      stays.take(1, bed, other, ten + 60 * minute);
      stays.take(1, other, null, ten + 120 * minute);
      const at = (minutes: number) => ({ from: ten + minutes * minute, to: ten + (minutes + 1) * minute });
      expect([-10, 30, 62, 90, 130].map((minutes) => stays.wasElsewhere(1, bed, null, at(minutes)))).toEqual([
        false,
        false,
        false,
        true,
        false,
      ]);
      expect(stays.wasElsewhere(2, bed, other, at(30))).toBe(true);
      expect(stays.wasElsewhere(2, bed, bed, at(30))).toBe(false);
    });

    it('forgets moves that no value can be older than', () => {
      const stays = new BedStays();
      stays.take(1, null, bed, ten);
      stays.take(2, null, other, ten + keptMs + 1);
      expect(stays.occupantOf(bed, ten, ten)).toEqual({ patientId: 1 });
    });

    it('is the same whether the moves come one by one or at a start, in any order, and long apart', () => {
      const beds = [bed, other];
      const step = fc.record({
        patientId: fc.integer({ min: 1, max: 3 }),
        to: fc.constantFrom(bed, other, null),
        after: fc.oneof(fc.integer({ min: 0, max: 30 * minute }), fc.integer({ min: 0, max: keptMs })),
      });
      const steps = fc.array(step, { maxLength: 12 });
      fc.assert(
        fc.property(steps, fc.infiniteStream(fc.nat()), fc.array(fc.nat(), { maxLength: 9 }), (all, order, times) => {
          const [oneByOne, atStart, places] = [new BedStays(), new BedStays(), new Map<number, string | null>()];
          const moves: BedMove[] = [];
          let at = ten;
          for (const { patientId, to, after } of all) {
            at += after;
            const from = places.get(patientId) ?? null;
            places.set(patientId, to);
            oneByOne.take(patientId, from, to, at);
            moves.push(...(from === to ? [] : [{ patientId, at, from, to }]));
          }
          places.forEach((place, patientId) => {
            atStart.take(patientId, null, place, null);
          });
          // Those of one time stay in their order, as in the store.
          const turns = new Map([...new Set(moves.map((move) => move.at))].map((time) => [time, order.next().value]));
          atStart.load(moves.toSorted((a, b) => (turns.get(a.at) ?? 0) - (turns.get(b.at) ?? 0)));
          const asked = [...moves.map((move) => move.at), ...times.map((time) => at - (time % keptMs))];
          const answers = (stays: BedStays) =>
            asked.flatMap((time) =>
              beds.flatMap((one) => [
                stays.occupantOf(one, time, time),
                ...[1, 2, 3].map((id) => stays.wasIn(id, one, time)),
                ...[1, 2, 3].map((id) => stays.wasElsewhere(id, one, places.get(id) ?? null, { from: time, to: time })),
              ]),
            );
          expect(answers(oneByOne)).toEqual(answers(atStart));
        }),
      );
    });

    it('never names a patient who was not there all the time, whatever the moves', () => {
      const step = fc.record({
        patientId: fc.integer({ min: 1, max: 3 }),
        to: fc.constantFrom(bed, other, null),
        after: fc.integer({ min: 1, max: 30 }),
      });
      fc.assert(
        fc.property(fc.array(step, { maxLength: 12 }), fc.nat(300), fc.nat(60), (steps, start, long) => {
          const stays = new BedStays();
          const places = new Map<number, string | null>();
          /** Who was in `bed` from each time on. */
          const history: { at: number; ids: number[] }[] = [{ at: -Infinity, ids: [] }];
          let at = ten;
          for (const { patientId, to, after } of steps) {
            at += after * minute;
            stays.take(patientId, places.get(patientId) ?? null, to, at);
            places.set(patientId, to);
            history.push({ at, ids: [...places].filter(([, place]) => place === bed).map(([id]) => id) });
          }
          const [from, to] = [ten + start * minute, ten + (start + long) * minute];
          const found = stays.occupantOf(bed, from, to);
          const there = history.filter(
            (one, index) => one.at <= to + changingMs && (history[index + 1]?.at ?? Infinity) >= from - changingMs,
          );
          const always = [1, 2, 3].filter((id) => there.every(({ ids }) => ids.includes(id)));
          // It may be careful, and never names somebody else.
          expect('code' in found ? [] : [found.patientId].filter((id) => !always.includes(id))).toEqual([]);
        }),
      );
    });
  });

  describe('a release', () => {
    /** Patient 1 leaves the bed at ten, and patient 2 comes into it. */
    const swapped = (): BedStays => {
      const stays = new BedStays();
      stays.take(1, null, bed, ten - 60 * minute);
      stays.take(2, null, other, ten - 60 * minute);
      stays.take(1, bed, other, ten);
      stays.take(2, other, bed, ten);
      return stays;
    };
    const released = (): BedStays => {
      const stays = swapped();
      stays.release(2, ten, true);
      return stays;
    };

    it.each([
      ['another patient', 1, ten],
      ['another move', 2, ten - 60 * minute],
      ['no move', 2, ten - minute],
    ])('changes nothing if it is of %s', (_, patientId, at) => {
      const stays = swapped();
      stays.release(patientId, at, true);
      expect(stays.occupantOf(bed, ten + minute, ten + 2 * minute)).toEqual({ code: 'bed_changing' });
    });

    it.each([
      ['before the move', ten - 1, ten - 1],
      ['sent before the move by a clock that is ahead', ten - minute, ten + minute],
      ['taken before the move and sent later', ten - 1, ten + 3 * minute],
    ])('gives no one what was %s', (_, from, to) => {
      expect(released().occupantOf(bed, from, to)).toEqual({ code: 'bed_changing' });
    });

    it('gives the patient who came the values since then, and the other bed’s to no one', () => {
      const found = { patientId: 2, releasedSince: ten };
      expect(released().occupantOf(bed, ten, ten)).toEqual(found);
      expect(released().occupantOf(bed, ten + minute, ten + 2 * minute)).toEqual(found);
      expect(released().occupantOf(other, ten + minute, ten + 2 * minute)).toEqual({ code: 'bed_changing' });
      expect(released().occupantOf(bed, ten + 6 * minute, ten + 6 * minute)).toEqual({ patientId: 2 });
    });

    it('is void for what comes after a move that is entered late, and after it is taken back', () => {
      const stays = released();
      stays.take(2, bed, null, ten + 2 * minute);
      stays.take(3, null, bed, ten + 3 * minute);
      expect(stays.occupantOf(bed, ten + minute, ten + minute)).toEqual({ code: 'bed_changing' });
      expect(stays.occupantOf(bed, ten + 4 * minute, ten + 4 * minute)).toEqual({ code: 'bed_changing' });
      const taken = released();
      taken.release(2, ten, false);
      expect(taken.occupantOf(bed, ten + minute, ten + minute)).toEqual({ code: 'bed_changing' });
    });

    it('moves with a step of the clock', () => {
      const stays = released();
      stays.moveClock(-60 * minute, ten - 59 * minute);
      const at = ten - 60 * minute;
      expect(stays.occupantOf(bed, at + minute, at + minute)).toEqual({ patientId: 2, releasedSince: at });
    });

    it('never names a patient who was not alone there, and takes no more than the five minutes of its move', () => {
      const someone = fc.integer({ min: 1, max: 3 });
      const step = fc.record({ patientId: someone, to: fc.constantFrom(bed, other, null), at: fc.nat(12) });
      const asked = fc.record({ from: fc.nat(24), long: fc.nat(6) });
      fc.assert(
        fc.property(
          fc.array(step, { maxLength: 8 }),
          fc.array(fc.nat(), { maxLength: 4 }),
          fc.array(asked, { minLength: 1, maxLength: 8 }),
          (steps, wanted, questions) => {
            const [stays, plain] = [new BedStays(), new BedStays()];
            const last = new Map<number, { place: string | null; at: number }>();
            const moves: BedMove[] = [];
            const releases: BedMove[] = [];
            for (const { patientId, to, at: after } of steps) {
              // Some of them are entered later than others that were after them.
              const { place: from, at: before } = last.get(patientId) ?? { place: null, at: 0 };
              const at = Math.max(before, ten + after * minute);
              last.set(patientId, { place: to, at });
              stays.take(patientId, from, to, at);
              plain.take(patientId, from, to, at);
              moves.push(...(from === to ? [] : [{ patientId, at, from, to }]));
              const next = wanted[releases.length];
              const move = next === undefined ? undefined : moves[next % moves.length];
              if (move?.to === bed) {
                releases.push(move);
                stays.release(move.patientId, move.at, true);
              }
            }
            const ofBed = moves.filter(({ from, to }) => from === bed || to === bed).sort((a, b) => a.at - b.at);
            /** Who was in the bed between two moves of it. */
            const idsAfter = (count: number): number[] => {
              const ids = new Set<number>();
              ofBed
                .slice(0, count)
                .forEach(({ patientId, to }) => (to === bed ? ids.add(patientId) : ids.delete(patientId)));
              return [...ids];
            };
            const faults = questions.flatMap(({ from: start, long }) => {
              const [from, to] = [ten + start * minute, ten + (start + long) * minute];
              const [found, before] = [stays.occupantOf(bed, from, to), plain.occupantOf(bed, from, to)];
              if (!('releasedSince' in found)) {
                return isDeepStrictEqual(found, before) ? [] : ['changed without a release'];
              }
              const begun = releases.filter(({ patientId, at }) => patientId === found.patientId && at <= from);
              // All that is near is before the beginning that was released.
              const isLeft = ({ at }: BedMove): boolean =>
                at >= from - changingMs && at <= to + changingMs && !begun.some((move) => at <= move.at);
              // A move at the very time that is asked for is before it only by the release of that beginning.
              const isBefore = ({ at }: BedMove): boolean => at < from || begun.some((move) => at <= move.at);
              const first = ofBed.filter(isBefore).length;
              const end = ofBed.filter(({ at }) => at <= to).length;
              const there = Array.from({ length: Math.max(first, end) - first + 1 }, (_, index) =>
                idsAfter(first + index),
              );
              return [
                ...('code' in before && before.code === 'bed_changing' ? [] : ['overrode what the bed says']),
                ...(ofBed.some(isLeft) ? ['took more away than its move'] : []),
                ...(there.every((ids) => ids.join() === String(found.patientId))
                  ? []
                  : ['named who was not alone there']),
              ];
            });
            expect(faults).toEqual([]);
          },
        ),
        {
          numRuns: 2_000,
          examples: [
            [
              [
                { patientId: 2, to: bed, at: 0 },
                { patientId: 2, to: bed, at: 8 },
                { patientId: 2, to: other, at: 0 },
              ],
              [0, 0, 1],
              [
                { from: 8, long: 0 },
                { from: 0, long: 0 },
              ],
            ],
          ],
        },
      );
    });
  });
});

describe.each(engines)('a bed on %s', (engine) => {
  const url = '/api/v2/patients';

  let test: TestServer;
  let site: number;
  let lead: Caller;
  let unit: string;
  let counter = 0;
  const addUnit = async (members: readonly number[] = []): Promise<string> => {
    counter += 1;
    const name = `East ${counter}`;
    await test.addUnit(site, name, members);
    return name;
  };

  beforeAll(async () => {
    test = await sharedTestServer(engine);
    site = await test.addSite();
    lead = await test.signIn(site, 'ward_lead');
  });
  beforeEach(async () => {
    unit = await addUnit();
  });

  const place = (bed: string) => ({ location: { unit, bed } });
  const read = async (id: number): Promise<Patient> => (await lead.call('GET', `${url}/${id}`)).json<Patient>();
  const move = async (id: number, body: object) =>
    await lead.call('PATCH', `${url}/${id}`, { version: (await read(id)).version, ...body });
  interface Refused {
    error: { code: string; id?: number };
  }
  const codeOf = (answer: Awaited<ReturnType<Caller['call']>>) => {
    const { code, id } = answer.json<Refused>().error;
    return { status: answer.statusCode, code, id };
  };
  const taken = (id?: number) => ({ status: 409, code: 'bed_taken', id });

  it('takes no second patient, whatever the capitals: neither a new one nor one who is moved', async () => {
    const first = await test.addPatient(site, place('a1'));
    const second = await test.addPatient(site, place('A2'));
    const made = await lead.call('POST', url, {
      mrn: `NEW ${unit}`,
      givenName: 'Sam',
      familyName: 'Sample',
      dateOfBirth: '1950-03-07',
      ...place('A1'),
    });
    expect(codeOf(made)).toEqual(taken(first));
    expect(codeOf(await move(second, place('A1')))).toEqual(taken(first));
    expect((await read(second)).location).toEqual({ unit, bed: 'A2' });
  });

  it('takes no patient back whose bed is taken by now', async () => {
    const left = await test.addPatient(site, place('B1'));
    await move(left, { state: 'discharged' });
    const next = await test.addPatient(site, place('B1'));
    expect(codeOf(await move(left, { state: 'active' }))).toEqual(taken(next));
    expect((await read(left)).state).toBe('discharged');
  });

  it('takes one of two patients who are moved there at once', async () => {
    const both = [await test.addPatient(site, place('C1')), await test.addPatient(site, place('C2'))];
    const answers = await Promise.all(both.map((id) => move(id, place('C3'))));
    const refused = answers.find(({ statusCode }) => statusCode !== 200);
    const first = both[answers.findIndex(({ statusCode }) => statusCode === 200)];
    expect(refused === undefined ? null : codeOf(refused)).toEqual(taken(first));
  });

  it('is free again for its own patient, and after a discharge', async () => {
    const first = await test.addPatient(site, place('D1'));
    expect((await move(first, place('D1'))).statusCode).toBe(200);
    await move(first, { state: 'discharged' });
    const second = await test.addPatient(site, place('D2'));
    expect((await move(second, place('D1'))).statusCode).toBe(200);
  });

  it('does not say who is in it to a user who may not see them', async () => {
    const nurse = await test.signIn(site, 'nurse');
    const own = await addUnit([nurse.userId]);
    const mine = await test.addPatient(site, { location: { unit: own, bed: 'E1' } });
    await test.addPatient(site, place('E1'));
    const answer = await nurse.call('PATCH', `${url}/${mine}`, { version: 1, ...place('E1') });
    expect(codeOf(answer)).toEqual(taken());
  });

  it('of a unit that does not exist is not made by users who reach some units only', async () => {
    const nurse = await test.signIn(site, 'nurse');
    const own = await addUnit([nurse.userId]);
    const mine = await test.addPatient(site, { location: { unit: own, bed: 'H1' } });
    const location = { unit: `${own} typed wrong`, bed: '1' };
    const answer = await nurse.call('PATCH', `${url}/${mine}`, { version: 1, location });
    expect(codeOf(answer)).toEqual({ status: 403, code: 'other_unit' });
  });

  it('that two shared before this was refused keeps both until one moves', async () => {
    const [stays, leaves] = [await test.addPatient(site, place('I1')), await test.addPatient(site, place('I1'))];
    expect((await move(stays, { familyName: 'Changed' })).statusCode).toBe(200);
    expect((await move(leaves, place('I2'))).statusCode).toBe(200);
    expect(codeOf(await move(leaves, place('I1')))).toEqual(taken(stays));
  });

  it('has one patient in the store too, whatever wrote it', async () => {
    const ids = [await test.addPatient(site), await test.addPatient(site)];
    for (const [index, id] of ids.entries()) {
      await move(id, place(`J${index}`));
    }
    await expect(
      test.store.db
        .updateTable('patients')
        .set({ bed: 'j0' })
        .where('id', '=', ids[1] ?? 0)
        .execute(),
    ).rejects.toThrow(/unique/i);
  });

  it('is not changed over what somebody else did, and the answer says who did what', async () => {
    const id = await test.addPatient(site, place('L1'));
    await move(id, { familyName: 'Changed', sex: 'female' });
    const answer = await lead.call('PATCH', `${url}/${id}`, { version: 1, ...place('L2') });
    expect(answer.json<{ error: { message: string } }>().error.message).toMatch(
      /^\S+ \S.* has changed family name, sex in the meantime\. Look at it again, then repeat\.$/,
    );
  });

  it('is taken and left once if the same move or discharge is sent again after a lost response', async () => {
    const id = await test.addPatient(site, place('N1'));
    const send = (body: object) => lead.call('PATCH', `${url}/${id}`, body);
    for (const body of [
      { version: 1, ...place('n2') },
      { version: 2, state: 'discharged' },
    ]) {
      const [first, again] = [await send(body), await send(body)];
      expect([again.statusCode, again.json<unknown>()]).toEqual([200, first.json<unknown>()]);
    }
    const moves = test.store.db.selectFrom('patient_moves').select('kind').where('patient_id', '=', id).orderBy('id');
    expect((await moves.execute()).map(({ kind }) => kind).filter((kind) => kind !== 'admitted')).toEqual([
      'moved',
      'discharged',
    ]);
  });

  describe('swapped with another one', () => {
    const swap = (patients: { id: number; version: number }[]) => lead.call('POST', `${url}/swap-beds`, { patients });

    it('keeps one place for each while a third patient moves in', async () => {
      const [first, second, third] = [
        await test.addPatient(site),
        await test.addPatient(site),
        await test.addPatient(site),
      ];
      await move(first, place('M1'));
      await move(second, place('M2'));
      const [swapped, moved] = await Promise.all([
        swap([
          { id: first, version: 2 },
          { id: second, version: 2 },
        ]),
        move(third, place('M1')),
      ]);
      expect([swapped.statusCode, moved.statusCode]).toEqual([200, 409]);
      expect([(await read(first)).location?.bed, (await read(second)).location?.bed]).toEqual(['M2', 'M1']);
    });

    it('is refused for one patient, one without a bed, one discharged, and a version of before', async () => {
      const first = await test.addPatient(site, place('F1'));
      const second = await test.addPatient(site, place('F2'));
      const outside = await test.addPatient(site);
      const gone = await test.addPatient(site, place('F3'));
      await move(gone, { state: 'discharged' });
      const one = { id: first, version: 1 };
      const codes: string[] = [];
      expect((await swap([one, one])).statusCode).toBe(422);
      for (const another of [
        { id: outside, version: 1 },
        { id: gone, version: 2 },
        { id: second, version: 7 },
      ]) {
        codes.push(codeOf(await swap([one, another])).code);
      }
      expect(codes).toEqual(['no_bed', 'patient_discharged', 'changed_meanwhile']);
      expect([(await read(first)).location, (await read(second)).location]).toEqual([
        { unit, bed: 'F1' },
        { unit, bed: 'F2' },
      ]);
    });

    it('gives each patient the place of the other, and records both', async () => {
      const other = await addUnit();
      const first = await test.addPatient(site, place('G1'));
      const second = await test.addPatient(site, { location: { unit: other, bed: 'G2' } });
      const answer = await swap([
        { id: second, version: 1 },
        { id: first, version: 1 },
      ]);
      expect(answer.statusCode).toBe(200);
      expect([(await read(first)).location, (await read(second)).location]).toEqual([
        { unit: other, bed: 'G2' },
        { unit, bed: 'G1' },
      ]);
      const audited = await test.store.db
        .selectFrom('audit')
        .select(['object_id', 'details'])
        .where('action', '=', 'change_patient')
        .where('object_id', 'in', [first, second])
        .execute();
      expect(audited.map(({ details }) => JSON.parse(details ?? '{}') as unknown)).toEqual([
        { fields: ['location'], swappedWith: second },
        { fields: ['location'], swappedWith: first },
      ]);
    });

    it('is done once if it is sent again after a lost response, and not by somebody else', async () => {
      const first = await test.addPatient(site, place('H1'));
      const second = await test.addPatient(site, place('H2'));
      const both = [first, second].map((id) => ({ id, version: 1 }));
      const answers = [await swap(both), await swap([...both].reverse())];
      expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
      expect([(await read(first)).location?.bed, (await read(second)).location?.bed]).toEqual(['H2', 'H1']);
      const other = await test.signIn(site, 'ward_lead');
      const refused = await other.call('POST', `${url}/swap-beds`, { patients: both });
      expect(codeOf(refused).code).toBe('changed_meanwhile');
    });
  });
});
