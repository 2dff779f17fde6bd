import { HttpError } from '../http/httpError';
import { rowsPerPart } from './partsOf';
import { newRequest, type Written } from './writer';
import { createWaitingParts, waitingLimits, type Sender, type WaitingPart } from './waitingParts';

const request = newRequest({ isClockEstablished: true });

let now: number;
let waiting: ReturnType<typeof createWaitingParts>;

beforeEach(() => {
  now = 0;
  waiting = createWaitingParts(
    () => now,
    () => 3,
  );
});

const sender = (deviceId: number, more: Partial<Sender> = {}): Sender => ({
  deviceId,
  isGone: () => false,
  ...more,
});
const part = (rows: number, more: Partial<WaitingPart> = {}): WaitingPart => ({
  request,
  settle: () => undefined,
  sender: sender(1),
  rows,
  isLate: false,
  ...more,
});
/** What a call of a device gets: "waits", or the status of its refusal. */
/** Device 2 has something waiting, as has every device that is to be refused. */
const ask = (deviceId: number, rows: { live?: number; late?: number }): string | number => {
  try {
    waiting.admit(deviceId, { live: 0, late: 0, ...rows });
    return 'waits';
  } catch (error) {
    expect(error).toBeInstanceOf(HttpError);
    expect(error).toHaveProperty('retryAfter', 3);
    return error instanceof HttpError ? error.status : Number.NaN;
  }
};
/** So many devices that the share of each is the least there is. */
const callOfOthers = (): void => {
  for (let deviceId = 100; deviceId < 150; deviceId += 1) {
    ask(deviceId, { live: 1 });
  }
};

describe('what waits for the store', () => {
  it.each([
    ['as many live rows as may wait', { rows: waitingLimits.rows - 1, isLate: false }, { live: 1 }, 503],
    ['as many late rows as may wait', { rows: waitingLimits.rows - 400, isLate: true }, { late: 1 }, 503],
    ['one live row fewer', { rows: waitingLimits.rows - 401, isLate: false }, { live: 1 }, 'waits'],
  ])('with %s refuses a further row of a device that has its part waiting', (_, { rows, isLate }, more, expected) => {
    callOfOthers();
    waiting.add(part(rows, { isLate }));
    waiting.add(part(400, { sender: sender(2), isLate }));
    expect(ask(2, more)).toBe(expected);
  });

  it('takes the first call of a device although others have filled what may wait, up to twice as much', () => {
    waiting.add(part(waitingLimits.rows));
    expect([ask(2, { live: waitingLimits.rows }), ask(2, { live: waitingLimits.rows + 1 })]).toEqual(['waits', 503]);
  });

  it('takes further calls of a device that has less than its part waiting, however much others have', () => {
    callOfOthers();
    waiting.add(part(waitingLimits.rows));
    waiting.add(part(100, { sender: sender(2) }));
    // 20,000 rows of 51 devices.
    expect([ask(2, { live: 292 }), ask(2, { live: 293 })]).toEqual(['waits', 503]);
  });

  it('keeps no live value out for late ones, of the same device or of others', () => {
    waiting.add(part(waitingLimits.rows, { isLate: true }));
    callOfOthers();
    expect([ask(1, { live: 500 }), ask(2, { live: 500, late: 1 }), ask(1, { late: 1 })]).toEqual([
      'waits',
      'waits',
      429,
    ]);
  });

  it('refuses calls of a device whose oldest one waits for more than 10 s, and of no other', () => {
    waiting.add(part(1));
    now = waitingLimits.ageMs;
    expect(ask(1, { live: 1 })).toBe('waits');
    now += 1;
    expect([ask(1, { live: 1 }), ask(1, { late: 1 }), ask(2, { live: 1 })]).toEqual([503, 'waits', 'waits']);
  });

  it('gives a device its share alone, and at least 5,000 rows', () => {
    callOfOthers();
    waiting.add(part(4_000));
    expect([ask(1, { live: 1_000 }), ask(1, { live: 1_001 }), ask(2, { live: 5_000 })]).toEqual([
      'waits',
      429,
      'waits',
    ]);
  });

  it('gives a device more while fewer of them have called within a minute', () => {
    callOfOthers();
    waiting.add(part(5_000));
    expect(ask(1, { live: 1 })).toBe(429);
    now = 60_000;
    waiting.take(1);
    waiting.add(part(5_000));
    expect([ask(1, { live: 5_000 }), ask(1, { late: waitingLimits.rows - 5_000 })]).toEqual(['waits', 'waits']);
  });

  it('takes a first call of a device whatever its share is', () => {
    callOfOthers();
    expect(ask(1, { late: 5_000 })).toBe('waits');
  });

  it('hands out live parts first, in the order in which they came, and no more rows than fit', () => {
    const parts = [
      part(300, { isLate: true }),
      part(400),
      part(500, { isLate: true }),
      part(600),
      part(100, { isLate: true }),
    ];
    parts.forEach(waiting.add);
    const rows = (): number[] => waiting.take(1_300).map((taken) => taken.rows);
    expect([rows(), rows(), rows()]).toEqual([[400, 600, 300], [500, 100], []]);
    expect([waiting.isEmpty(), waiting.rows()]).toEqual([true, 0]);
  });

  it('hands out parts of devices in turn, so that none waits for all that another has sent', () => {
    const of = (deviceId: number): WaitingPart => part(500, { sender: sender(deviceId) });
    [of(1), of(1), of(1), of(2), of(3), of(2)].forEach(waiting.add);
    const devices = (rows: number): unknown[] => waiting.take(rows).map((taken) => taken.sender?.deviceId);
    expect([devices(1_000), devices(1_500), devices(1_000)]).toEqual([[1, 2], [3, 1, 2], [1]]);
  });

  it('hands out as many rows of a device with short calls as of one with long calls', () => {
    const of = (deviceId: number, rows: number): WaitingPart => part(rows, { sender: sender(deviceId) });
    [of(1, rowsPerPart), of(1, rowsPerPart)].forEach(waiting.add);
    Array.from({ length: 12 }, () => of(2, rowsPerPart / 10)).forEach(waiting.add);
    const devices = (): string =>
      waiting
        .take(2 * rowsPerPart)
        .map((taken) => taken.sender?.deviceId)
        .join('');
    expect([devices(), devices()]).toEqual(['12222222222', '122']);
  });

  it('lets no device whose turn a transaction cut off begin the next one', () => {
    [1, 1, 1, 2].forEach((deviceId) => {
      waiting.add(part(300, { sender: sender(deviceId) }));
    });
    const devices = (): unknown[] => waiting.take(400).map((taken) => taken.sender?.deviceId);
    expect([devices(), devices(), devices(), devices()]).toEqual([[1], [2], [1], [1]]);
  });

  it('hands out a part that is larger than what fits, alone', () => {
    [part(3_000), part(1)].forEach(waiting.add);
    expect(waiting.take(100).map(({ rows }) => rows)).toEqual([3_000]);
  });

  it('drops a call whose client has gone for a second, and nothing of people', () => {
    const outcomes: (Written | Error)[] = [];
    const isGone = (): boolean => true;
    waiting.add(part(10, { sender: sender(1, { isGone }), settle: (outcome) => outcomes.push(outcome) }));
    waiting.add(part(20, { sender: null }));
    now = 1_001;
    waiting.add(part(30, { sender: sender(2, { isGone }) }));
    expect(waiting.take(1_000).map(({ rows }) => rows)).toEqual([20, 30]);
    expect(outcomes).toEqual([expect.any(HttpError)]);
    expect(waiting.rows()).toBe(0);
  });

  it('counts what a device has waiting down as it is taken, live and late rows each', () => {
    callOfOthers();
    [part(4_000), part(1_000), part(5_000, { isLate: true })].forEach(waiting.add);
    expect([ask(1, { live: 1 }), ask(1, { late: 1 })]).toEqual([429, 429]);
    waiting.take(4_000);
    expect([ask(1, { live: 4_000 }), ask(1, { live: 4_001 }), ask(1, { late: 1 })]).toEqual(['waits', 429, 429]);
  });
});
