import { scrubReplayFrame } from './scrubReplayFrame';

const times = { startTimestamp: 1, endTimestamp: 2 };

describe('a frame of a recording that is not the picture', () => {
  it.each(['resource.xhr', 'resource.img', 'largest-contentful-paint', 'memory', 'ui.click'])(
    'is nothing of %s',
    (op) => {
      expect(scrubReplayFrame({ op, description: 'https://ward.example/Moreau', ...times })).toBeNull();
    },
  );

  it('is the page that was opened, by its pattern', () => {
    const frame = {
      op: 'navigation.push',
      description: 'https://ward.example/patients?name=Moreau#x',
      ...times,
      data: { previous: 'Moreau' },
    };
    expect(scrubReplayFrame(frame)).toEqual({ op: 'navigation.push', description: '/patients', ...times });
  });
});
