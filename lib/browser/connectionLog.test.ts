import { noteCallEnd, noteRequest, readConnectionLog } from './connectionLog';

let now = 1_770_000_000_000;
let stopped: number | null = null;
jest.mock('./serverClock', () => ({ serverNow: () => now }));
jest.mock('./alertPath', () => ({ alertsStopped: () => stopped }));
const pass = (seconds: number): void => {
  now += seconds * 1_000;
};

beforeEach(() => {
  // What the test before has left is older than anything that counts.
  stopped = null;
  noteCallEnd('failed');
  pass(10_000);
});

describe('what a page remembers of its connection', () => {
  it('is each change, and a refusal is an answer', () => {
    const begin = now;
    noteCallEnd(null);
    pass(5);
    noteCallEnd('refused');
    pass(5);
    noteCallEnd('unreachable');
    pass(20);
    noteCallEnd('throttled');
    pass(5);
    stopped = 1;
    noteCallEnd(null);
    expect(readConnectionLog().connection.slice(1)).toEqual([
      { at: begin, is: 'live' },
      { at: begin + 10_000, is: 'lost' },
      { at: begin + 35_000, is: 'alerts_not_running' },
    ]);
  });

  it('begins with the state of 10 min ago, however long that had lasted', () => {
    noteCallEnd(null);
    pass(700);
    expect(readConnectionLog().connection).toEqual([{ at: now - 600_000, is: 'live' }]);
  });

  it('does not grow', () => {
    for (let call = 0; call < 1_000; call += 1) {
      noteCallEnd(call % 2 === 0 ? null : 'failed');
      noteRequest(`request-${call}`, 200);
    }
    expect(readConnectionLog().connection).toHaveLength(40);
    expect(readConnectionLog().requestIds).toHaveLength(20);
    pass(601);
    expect(readConnectionLog()).toEqual({ connection: [{ at: now - 600_000, is: 'lost' }], requestIds: [] });
  });
});

describe('the ids of requests', () => {
  it('that were refused stay while others follow', () => {
    noteRequest('refused', 500);
    for (let call = 0; call < 40; call += 1) {
      noteRequest(`answered-${call}`, 200);
    }
    const { requestIds } = readConnectionLog();
    expect(requestIds).toHaveLength(20);
    expect(requestIds.slice(0, 2)).toEqual(['refused', 'answered-21']);
  });

  it('are not kept if a proxy wrote something else into the header', () => {
    noteRequest('<b>no id</b>', 200);
    noteRequest(null, 200);
    expect(readConnectionLog().requestIds).toEqual([]);
  });
});
