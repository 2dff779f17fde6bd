import { toInstant } from '../time/schema';
import { figureSizes } from './figureSizes';
import { holdBeds } from './holdBeds';
import { mostBeds, type WallTile, type WallValue } from './schema';
import { type TileNumber, tileTexts } from './tileTexts';

describe('the type of the two numbers of a tile', () => {
  const live = (number: string, more: Partial<TileNumber> = {}): TileNumber => ({
    kind: 'spo2',
    state: 'live',
    number,
    isQuestionable: false,
    note: '',
    mark: null,
    isStruck: false,
    ...more,
  });
  const filled = { look: 'filled', priority: 'high', side: 'low', words: 'high-priority alert' } as const;
  /** The room of a tile at 1920 px with 24 beds, and the sizes there. */
  const sizesIn = (spo2: TileNumber, rate: TileNumber): number[] => {
    const sizes = figureSizes({ spo2, rate });
    return [sizes.spo2, sizes.rate].map((size) => {
      const [, most = '', share = '1', ems = ''] =
        /^min\(var\(--wall-(\w+)\), (?:([\d.]+) \* )?\(100cqw - 0\.6 \* var\(--wall-initials\)\) \/ ([\d.]+)\)$/.exec(
          size,
        ) ?? [];
      return Math.min(most === 'spo2' ? 88 : 56, (Number(share) * (281 - 12)) / Number(ems));
    });
  };

  it('gives way if both are uncertain and one has an alarm, so that neither covers the other', () => {
    const [spo2 = 0, rate = 0] = sizesIn(
      live('67', { isQuestionable: true, mark: filled }),
      live('210', { isQuestionable: true }),
    );
    // The digits, the sign of two and the box; a "?" is 0.48 em.
    expect(spo2 * (2 * 0.58 + 0.48 + 0.8) + rate * (3 * 0.58 + 0.48)).toBeLessThanOrEqual(281 - 12 + 0.5);
    expect(spo2).toBeGreaterThan(60);
  });

  it('is that of the wall while both fit', () => {
    for (const [spo2, rate] of [
      ['100', '120'],
      ['97', '64'],
      ['--', '--'],
    ] as const) {
      expect(sizesIn(live(spo2), live(rate))).toEqual([88, 56]);
    }
  });

  it('is that of the wall for a low value with an alarm beside an ordinary rate', () => {
    expect(sizesIn(live('74', { mark: filled }), live('80'))).toEqual([88, 56]);
  });
});

describe('the places of a wall', () => {
  const tileOf = (bed: string | null, initials = 'AB', unit: string | null = 'West'): WallTile => ({
    unit,
    bed,
    initials,
    isTrial: false,
    profile: 'continuous',
    isShared: false,
    latest: {},
    alerts: [],
    standby: null,
    comfortCare: null,
  });
  const bedsOf = (places: ReturnType<typeof holdBeds>): (string | null)[] => places.map(({ bed }) => bed);

  it('keep the bed of a patient who left, empty, so that no other tile moves', () => {
    const before = holdBeds([], [tileOf('1'), tileOf('2'), tileOf('10')]);
    const after = holdBeds(before, [tileOf('1'), tileOf('10')]);
    expect(bedsOf(after)).toEqual(['1', '2', '10']);
    expect(after.map(({ tile }) => tile === null)).toEqual([false, true, false]);
    expect(holdBeds(after, [tileOf('1'), tileOf('2', 'CD'), tileOf('10')])[1]?.tile?.initials).toBe('CD');
  });

  it('are one for each of two patients in a bed, and one when one of them leaves', () => {
    const before = holdBeds([], [tileOf('1', 'AB'), tileOf('1', 'CD'), tileOf('2')]);
    expect(before.map(({ tile }) => tile?.initials)).toEqual(['AB', 'CD', 'AB']);
    expect(new Set(before.map(({ key }) => key)).size).toBe(3);
    expect(bedsOf(holdBeds(before, [tileOf('1', 'CD'), tileOf('2')]))).toEqual(['1', '2']);
  });

  it('are those of patients before those of empty beds if there is no room for all', () => {
    const all = Array.from({ length: mostBeds }, (_, bed) => tileOf(String(bed + 1)));
    const after = holdBeds(holdBeds([], all), [...all.slice(1), tileOf('99')]);
    expect(after).toHaveLength(mostBeds);
    expect(after.every(({ tile }) => tile !== null)).toBe(true);
  });

  it('have patients without a bed last', () => {
    expect(bedsOf(holdBeds([], [tileOf(null, 'AB', null), tileOf('1')]))).toEqual(['1', null]);
  });
});

describe('a tile', () => {
  const now = Date.UTC(2026, 4, 1, 10, 0, 0);
  const at = { now, serverLost: null, timeZone: 'Europe/London' };

  const valueAt = (value: number, ageMs: number, more: Partial<WallValue> = {}): WallValue => ({
    value,
    asOf: toInstant(now - ageMs),
    quality: 'good',
    expectedEveryMs: 1_000,
    lastValid: null,
    threePoints: null,
    ...more,
  });
  const tileOf = (more: Partial<WallTile> = {}): WallTile => ({
    unit: 'West',
    bed: '1',
    initials: 'AB',
    isTrial: false,
    profile: 'continuous',
    isShared: false,
    latest: {},
    alerts: [],
    standby: null,
    comfortCare: null,
    ...more,
  });
  const alert: WallTile['alerts'][number] = {
    parameter: 'spo2',
    priority: 'high',
    side: 'low',
    condition: 'active',
    acknowledged: false,
    owner: null,
    raisedAt: toInstant(now),
    confirmBy: null,
  };

  it('shows no age while a value is live, and 0 is a value', () => {
    const { spo2, rate } = tileTexts(tileOf({ latest: { spo2: valueAt(97, 0), heartRate: valueAt(0, 0) } }), at);
    expect([spo2.number, spo2.note, rate.number, rate.note]).toEqual(['97', '', '0', '']);
  });

  it('says before the initials that its patient is on trial', () => {
    expect([tileOf(), tileOf({ isTrial: true })].map((tile) => tileTexts(tile, at).initials)).toEqual([
      'AB',
      'Trial · AB',
    ]);
  });

  it('shows the age of a reading at home, which is live for hours', () => {
    const seldom = { expectedEveryMs: 8 * 3_600_000 };
    const { spo2 } = tileTexts(tileOf({ latest: { spo2: valueAt(94, 5 * 3_600_000, seldom) } }), at);
    expect([spo2.state, spo2.number, spo2.note]).toEqual(['live', '94', '5 h']);
  });

  it('marks a stale value with its age, then withdraws it, and says nothing of one that was never measured', () => {
    const stale = tileTexts(tileOf({ latest: { spo2: valueAt(97, 45_000) } }), at);
    expect([stale.spo2.state, stale.spo2.note]).toEqual(['stale', 'stale, 45 s']);
    const old = tileTexts(tileOf({ latest: { spo2: valueAt(97, 70_000) } }), at);
    expect([old.spo2.number, old.spo2.note]).toEqual(['--', 'last 97, 10:58']);
    expect([old.rate.number, old.rate.note]).toEqual(['--', 'no value yet']);
  });

  it('has no note whose end, the age, would be cut', () => {
    const noteOf = (value: WallValue) => tileTexts(tileOf({ latest: { spo2: value } }), at).spo2.note;
    expect(noteOf(valueAt(97, 13 * 3_600_000))).toBe('last 97, 13 h');
    expect(noteOf(valueAt(97, 50 * 3_600_000))).toBe('last 97, 2 d');
    expect(noteOf(valueAt(97, 45_000, { isSubstitute: true }))).toBe('45 s, stale, other source');
    expect(noteOf(valueAt(97, -60_000))).toBe('time unknown');
  });

  it('says what another device says, if that disagrees', () => {
    const noteOf = (value: number) =>
      tileTexts(
        tileOf({
          latest: { spo2: valueAt(97, 3_000, { other: { value, asOf: toInstant(now), expectedEveryMs: 1_000 } }) },
        }),
        at,
      ).spo2.note;
    expect(noteOf(74)).toBe('other 74, 3 s');
    expect(noteOf(96)).toBe('');
  });

  it('shows the age of every value while the server does not answer', () => {
    const { spo2 } = tileTexts(tileOf({ latest: { spo2: valueAt(97, 3_000) } }), { ...at, serverLost: now - 3_000 });
    expect(spo2.note).toBe('not live, 3 s');
    expect(spo2.isStruck).toBe(true);
  });

  it('strikes through a stale number, and each one of before the server stopped answering', () => {
    const struck = (value: WallValue, serverLost: number | null = null) =>
      tileTexts(tileOf({ latest: { spo2: value } }), { ...at, serverLost }).spo2.isStruck;
    const seldomRead = valueAt(94, 5 * 3_600_000, { expectedEveryMs: 8 * 3_600_000 });
    expect([struck(valueAt(97, 3_000)), struck(seldomRead), struck(valueAt(97, 45_000))]).toEqual([false, false, true]);
    expect(struck(seldomRead, now - 3_000)).toBe(true);
  });

  it('has the frame and the words of its most urgent alert, and says who has it', () => {
    const other = { ...alert, parameter: 'news2' as const, priority: 'medium' as const };
    expect(tileTexts(tileOf({ alerts: [alert, other] }), at).alert).toEqual({
      priority: 'high',
      look: 'filled',
      words: 'SpO2 · NEWS2',
    });
    expect(tileTexts(tileOf({ alerts: [{ ...alert, owner: 'ND' }] }), at).alert).toMatchObject({
      look: 'outlined',
      words: 'SpO2, ND',
    });
  });

  it('says what each of two alerts is, and how many more there are', () => {
    const flag = { ...alert, parameter: 'symptoms' as const };
    const worse = { ...flag, priority: 'medium' as const };
    const call = { ...worse, parameter: 'callRequest' as const };
    const wordsOf = (...alerts: WallTile['alerts']) => tileTexts(tileOf({ alerts }), at).alert?.words;
    expect(wordsOf(flag, call)).toBe('Red flag · Call request');
    expect(wordsOf({ ...flag, owner: 'ND' }, call, alert)).toBe('Red flag, ND · Call request +1');
    expect(wordsOf(worse)).toBe('Symptoms worse');
    expect(wordsOf(flag, { ...call, condition: 'ended' })).toBe('Red flag · Call request, ended');
  });

  it('keeps the mark of an alert on a value that is withdrawn', () => {
    const { spo2 } = tileTexts(tileOf({ alerts: [alert], latest: { spo2: valueAt(77, 70_000) } }), at);
    expect([spo2.number, spo2.mark?.look]).toEqual(['--', 'filled']);
  });

  it('marks three points of NEWS2 without an alarm colour, and only on a value that is shown', () => {
    const three = { threePoints: 'low' as const };
    expect(tileTexts(tileOf({ latest: { spo2: valueAt(91, 0, three) } }), at).spo2.mark?.look).toBe('bold');
    expect(tileTexts(tileOf({ latest: { spo2: valueAt(91, 70_000, three) } }), at).spo2.mark).toBeNull();
  });

  it('says standby, comfort care and a shared bed', () => {
    const until = toInstant(now + 600_000);
    const { notes } = tileTexts(tileOf({ standby: { until }, comfortCare: { until }, isShared: true }), at);
    expect(notes).toBe('Standby to 11:10, Comfort care, 2 in this bed');
  });
});
