import { answersOf, emptyCheckIn } from './typedCheckIn';
import { sortKept } from './sortKept';

const hour = 3_600_000;
const now = Date.parse('2026-05-01T12:00:00Z');
const old = now - 24 * hour - 1;
const answers = answersOf({ ...emptyCheckIn, sinceYesterday: 'same' });
const redAnswers = answersOf({ ...emptyCheckIn, ticked: ['blueLips'] });
const row = (clientId: string, link: string, madeAt: number) => ({
  clientId: `6f2b3c1e-0d7e-4b1c-9f43-3f1c7f6d2a1${clientId}`,
  link,
  madeAt,
  answers,
  mayHaveArrived: true,
});
const nothing = { kept: [], tooOld: [], forget: [], notice: [] };

describe('the check-ins that a phone keeps', () => {
  it('leave behind that they were too old, without their answers, until their own link is opened', () => {
    const [mine, other] = [row('1', 'L', old), row('2', 'M', old)];
    const notices = [mine, other].map(({ answers: _answers, ...rest }) => ({ ...rest, isTooOld: true as const }));
    const atStart = sortKept([mine, other], '', now);
    expect(atStart).toEqual({ ...nothing, notice: notices });
    expect(sortKept(atStart.notice, 'L', now)).toEqual({
      ...nothing,
      tooOld: [{ madeAt: old, mayHaveArrived: true }],
      forget: [mine.clientId],
    });
    expect(sortKept(atStart.notice, '', now)).toEqual(nothing);
  });

  it('are named at once if the link that is opened is their own', () => {
    const mine = row('1', 'L', old);
    expect(sortKept([mine], 'L', now)).toEqual({
      ...nothing,
      tooOld: [{ madeAt: old, mayHaveArrived: true }],
      forget: [mine.clientId],
    });
  });

  it('are forgotten altogether after the longest time for which a link can be valid', () => {
    const { answers: _answers, ...rest } = row('1', 'M', now - 91 * 24 * hour);
    const notice = { ...rest, isTooOld: true };
    expect(sortKept([notice], '', now)).toEqual({ ...nothing, forget: [notice.clientId] });
  });

  it.each([25 * hour, 400 * 24 * hour])(
    'go to the ward if they have a red flag, although the clock was set and they look %d ms old',
    (age) => {
      const red = { ...row('1', 'L', now - age), answers: redAnswers };
      // The page starts before it knows which link is opened.
      expect(sortKept([red], '', now)).toEqual(nothing);
      expect(sortKept([red], 'L', now)).toEqual({ ...nothing, kept: [red] });
    },
  );

  it('stay with a red flag until another link is opened after the last day on which theirs can be valid', () => {
    const red = (days: number) => ({ ...row('1', 'M', now - days * 24 * hour), answers: redAnswers });
    expect(sortKept([red(90)], 'L', now)).toEqual(nothing);
    expect(sortKept([red(91)], 'L', now)).toEqual({ ...nothing, forget: [red(91).clientId] });
  });

  it('wait for their own link, the oldest first, also if they seem to come from the future', () => {
    const rows = [row('1', 'L', now + hour), row('2', 'L', now - hour), row('3', 'M', now)];
    expect(sortKept(rows, 'L', now)).toEqual({ ...nothing, kept: [rows[1], rows[0]] });
  });

  it('may have arrived if an older release kept them, which did not say', () => {
    const { mayHaveArrived: _unknown, ...said } = row('1', 'L', now);
    expect(sortKept([said], 'L', now)).toEqual({ ...nothing, kept: [row('1', 'L', now)] });
  });

  it('are deleted if an older release kept them in another form', () => {
    expect(sortKept([{ clientId: 'x', text: 'what?' }], '', now)).toEqual({ ...nothing, forget: ['x'] });
  });
});
