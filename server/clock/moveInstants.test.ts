import { moveInstants } from './moveInstants';

const at = Date.UTC(2026, 4, 1, 10);

describe('moveInstants', () => {
  it('leaves what is no JSON as it is', () => {
    expect(moveInstants('{"since":', 1_000)).toBe('{"since":');
  });

  it('moves every instant, however deep, and nothing else', () => {
    const kept = {
      since: at,
      endedAt: null,
      lowest: 86,
      note: `called ${at}`,
      groups: [{ states: [{ phase: 'pending', since: at + 1_000.5 }], count: 3 }],
      neverEnds: Number.MAX_SAFE_INTEGER,
      everyMs: 86_400_000,
    };
    expect(JSON.parse(moveInstants(JSON.stringify(kept), -90_000))).toEqual({
      ...kept,
      since: at - 90_000,
      groups: [{ states: [{ phase: 'pending', since: at + 1_000.5 - 90_000 }], count: 3 }],
    });
  });
});
