import type * as ServerClock from './serverClock';

const server = 1_770_000_000_000;

/** The browser's two clocks, which a test can move apart. */
let monotonic: number;
let wall: number;
let clock: typeof ServerClock;

function pass(ms: number): void {
  monotonic += ms;
  wall += ms;
}

/** One clock stops while a laptop sleeps; which one depends on the system. */
function sleep(ms: number, stopped: 'monotonic' | 'wall'): void {
  if (stopped === 'monotonic') {
    wall += ms;
  } else {
    monotonic += ms;
  }
}

/** A call that takes `roundTripMs`, stamped by the server `stampedAfterMs` after it left. */
function respond(serverTime: number, roundTripMs = 0): void {
  const sent = clock.thisMoment();
  pass(roundTripMs);
  clock.noteResponse(serverTime, sent);
}

beforeEach(async () => {
  // Far from the server's time: the browser's own clock is of no use.
  monotonic = 5_000;
  wall = 1_000_000_000_000;
  jest.spyOn(performance, 'now').mockImplementation(() => monotonic);
  jest.spyOn(Date, 'now').mockImplementation(() => wall);
  jest.resetModules();
  clock = await import('./serverClock');
});

describe('the page’s estimate of the server’s clock', () => {
  it('has no time before the first response', () => {
    expect(clock.serverNow()).toBeNull();
    expect(clock.lastResponseAt()).toBeNull();
    expect(clock.lostSince()).toBeNull();
  });

  it('goes on from the last response, whatever the browser’s clock says', () => {
    respond(server);
    pass(3_000);
    expect(clock.serverNow()).toBe(server + 3_000);
    expect(clock.lastResponseAt()).toBe(server);
  });

  it.each(['monotonic', 'wall'] as const)(
    'counts the time that a machine slept while its %s clock stood still',
    (stopped) => {
      respond(server);
      sleep(3_600_000, stopped);
      expect(clock.serverNow()).toBe(server + 3_600_000);
      expect(clock.lostSince()).toBe(server);
    },
  );

  it.each(['monotonic', 'wall'] as const)(
    'is not turned back by a response that lay in a buffer while the machine slept (%s)',
    (stopped) => {
      respond(server);
      pass(5_000);
      const sent = clock.thisMoment();
      sleep(3_600_000, stopped);
      clock.noteResponse(server + 5_000, sent);
      expect(clock.serverNow()).toBe(server + 3_605_000);
      expect(clock.lostSince()).toBe(server + 5_000);
    },
  );

  it('does not run backwards when the browser’s clock is set back', () => {
    respond(server);
    pass(1_000);
    wall -= 7_200_000;
    expect(clock.serverNow()).toBe(server + 1_000);
  });

  it('is corrected by the next response after the browser’s clock was set forward', () => {
    respond(server);
    wall += 7_200_000;
    expect(clock.serverNow()).toBe(server + 7_200_000);
    respond(server + 1_000, 20);
    expect(clock.serverNow()).toBe(server + 1_020);
    expect(clock.lostSince()).toBeNull();
  });

  it.each([
    ['a response that agrees leaves it alone', 1_000, 100, 40, 1_100],
    ['a response from further on moves it forward', 1_000, 100, 5_000, 5_000],
    ['a response from further back moves it back, no further than the round trip allows', 1_000, 100, -5_000, -4_900],
  ])('%s', (_, passed, roundTrip, stamp, expected) => {
    respond(server);
    pass(passed);
    respond(server + (stamp === 40 ? 1_040 : stamp), roundTrip);
    expect(clock.serverNow()).toBe(server + expected);
  });

  it('starts from the time in the page as if the page had travelled since it was requested', () => {
    wall = performance.timeOrigin + monotonic;
    clock.startServerClock(server);
    expect(clock.serverNow()).toBeCloseTo(server + monotonic, 0);
    expect(clock.lastResponseAt()).toBe(server);
  });

  it('is not started again by a later page', () => {
    respond(server);
    clock.startServerClock(server + 60_000);
    expect(clock.serverNow()).toBe(server);
  });
});

describe('the outage of the server', () => {
  it.each([
    [9_999, null],
    [10_000, server],
    [60_000, server],
  ])('after %i ms without a response is reported as %s', (passed, expected) => {
    respond(server);
    pass(passed);
    expect(clock.lostSince()).toBe(expected);
  });

  it('ends with the next response', () => {
    respond(server);
    pass(30_000);
    respond(server + 30_000, 10);
    expect(clock.lostSince()).toBeNull();
  });

  it('counts from the call that left last, although the response of an older one comes after it', () => {
    respond(server);
    const older = clock.thisMoment();
    pass(6_000);
    respond(server + 6_000);
    clock.noteResponse(server + 100, older);
    pass(9_000);
    expect(clock.lostSince()).toBeNull();
    expect(clock.lastResponseAt()).toBe(server + 6_000);
  });

  it('is not hidden by a server whose clock was set back', () => {
    respond(server);
    pass(5_000);
    respond(server - 3_600_000);
    pass(10_000);
    expect(clock.lostSince()).toBe(server - 3_600_000);
  });
});

describe('whether the server answers', () => {
  it('is so before any call, and not from one without an answer until the next with one', () => {
    expect(clock.isAnswering()).toBe(true);
    clock.noteFailure('unreachable');
    expect(clock.isAnswering()).toBe(false);
    clock.noteFailure('refused');
    expect(clock.isAnswering()).toBe(false);
    respond(server);
    expect(clock.isAnswering()).toBe(true);
    clock.noteFailure('unreadable');
    expect(clock.isAnswering()).toBe(false);
  });

  it.each(['refused', 'throttled', 'failed'] as const)('is so where a call was %s', (cause) => {
    clock.noteFailure(cause);
    expect(clock.isAnswering()).toBe(true);
  });
});
