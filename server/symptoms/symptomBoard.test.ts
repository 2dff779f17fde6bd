import { SymptomBoard, type BoardReport } from './symptomBoard';

const hour = 3_600_000;
const now = Date.parse('2026-03-07T15:00:00Z');
const patient = { id: 1, site_id: 7 };
const report = (id: number, ago: number, change: Partial<BoardReport> = {}): BoardReport => ({
  id,
  reportedAt: now - ago,
  answers: { cough: 'mild' },
  redFlags: [],
  sinceYesterday: null,
  isInError: false,
  ...change,
});

describe('the newest reports in memory', () => {
  it('are the same in whatever order they arrive', () => {
    const reports = [
      report(1, 3 * hour),
      report(2, 2 * hour, { answers: { cough: 'severe' } }),
      report(3, hour, { isInError: true }),
    ];
    const shown = [reports, reports.toReversed()].map((order) => {
      const board = new SymptomBoard(() => undefined);
      for (const each of order) {
        board.take(patient, [each]);
      }
      return board.shown(1);
    });
    expect(shown[0]).toEqual(shown[1]);
    expect(shown[0]).toMatchObject({ worst: { symptom: 'cough', grade: 3 }, change: 'worse' });
  });

  it('do not bring back a report that was entered in error', () => {
    const board = new SymptomBoard(() => undefined);
    board.take(patient, [report(1, hour, { isInError: true })]);
    board.take(patient, [report(1, hour)]);
    expect(board.shown(1)).toBeNull();
    expect(board.since(1, 0)).toEqual([]);
  });

  it('keep the day of a patient who reports often, and what came before for one who reports rarely', () => {
    const board = new SymptomBoard(() => undefined);
    board.take(
      patient,
      Array.from({ length: 200 }, (_, index) => report(index, (index * hour) / 4)),
    );
    expect(board.since(1, now - 24 * hour)).toHaveLength(97);
    expect(board.since(1, 0).length).toBeLessThan(200);
    board.take({ id: 2, site_id: 7 }, [
      report(900, hour, { answers: { cough: 'moderate' } }),
      report(901, 24 * 30 * hour),
    ]);
    expect(board.shown(2)?.change).toBe('worse');
  });

  it('say that the site has changed, and which', () => {
    const changed = jest.fn();
    const board = new SymptomBoard(changed);
    board.take(patient, [report(1, hour)]);
    expect(changed.mock.calls).toEqual([[7]]);
    expect([board.version(7), board.version(8)]).toEqual([1, 0]);
  });

  it('move with a step of the clock, there and back', () => {
    const board = new SymptomBoard(() => undefined);
    board.take(patient, [report(1, hour), report(2, 240 * hour)]);
    const before = board.since(1, 0);
    board.moveClock(hour, now + hour);
    expect(board.since(1, 0).map(({ reportedAt }) => reportedAt - now)).toEqual([0, -240 * hour]);
    board.moveClock(-hour, now);
    expect(board.since(1, 0)).toEqual(before);
  });
});
