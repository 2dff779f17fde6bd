import { clientFailure, ApiFailure } from '../lib/browser/client';
import type { KeptCheckIn } from '../lib/checkIn/keptSchema';
import type { SentCheckIn } from '../lib/checkIn/schema';
import { answersOf, emptyCheckIn } from '../lib/checkIn/typedCheckIn';
import { createOutbox, type Outbox } from './checkInOutbox';

const hour = 3_600_000;
const noon = Date.parse('2026-05-01T12:00:00Z');
const answers = answersOf({ ...emptyCheckIn, ticked: ['blueLips'] });
const answer: SentCheckIn = { redFlags: [], redReadings: [], advice: null, nextDueAt: '2026-05-01T14:00:00Z' };
const old = (madeAt: number, clientId: string): KeptCheckIn => ({ clientId, link: 'L', madeAt, answers });

let now = noon;
let elapsed = 0;
let aheadMs = 0;
let onPhone: KeptCheckIn[] = [];
const post = jest.fn<Promise<SentCheckIn>, [KeptCheckIn, number]>();
const phone = {
  fingerprint: jest.fn(() => Promise.resolve<string | null>('L')),
  keep: jest.fn((checkIn: KeptCheckIn) => {
    onPhone.push(checkIn);
    return Promise.resolve();
  }),
  forget: jest.fn((clientId: string) => {
    onPhone = onPhone.filter((each) => each.clientId !== clientId);
    return Promise.resolve();
  }),
  take: jest.fn(() => Promise.resolve({ kept: [...onPhone], tooOld: [] as number[] })),
};

beforeEach(() => {
  now = noon;
  elapsed = 0;
  aheadMs = 0;
  onPhone = [];
  jest.clearAllMocks();
  post.mockReset().mockResolvedValue(answer);
  phone.fingerprint.mockResolvedValue('L');
});

const opened = async (): Promise<Outbox> => {
  const outbox = createOutbox({ post, phone, now: () => now, aheadMs: () => aheadMs, elapsed: () => elapsed });
  await settled();
  return outbox;
};
/** Lets everything run that waits for nothing but other promises. */
const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1) {
    await Promise.resolve();
  }
};
const sizes = (outbox: Outbox) => {
  const { waiting, arrived, refused, tooOld } = outbox.getState();
  return { waiting: waiting.length, arrived: arrived.length, refused: refused.length, tooOld: tooOld.length };
};
const unreachable = clientFailure('unreachable');
const none = { waiting: 0, arrived: 0, refused: 0, tooOld: 0 };

describe('a check-in that could not be sent', () => {
  it.each([
    ['without a connection', unreachable],
    ['whose answer was lost', clientFailure('no_response')],
    ['to a server that is down', new ApiFailure('failed', 'No.', { status: 503 })],
    ['to a network that answers itself', clientFailure('unreadable_response', 404)],
    ['because of too many requests', new ApiFailure('too_many', 'No.', { status: 429 })],
  ])('%s is kept on the phone under its id, sent again, and deleted when it has arrived', async (_, failure) => {
    const outbox = await opened();
    post.mockRejectedValueOnce(failure);
    const clientId = outbox.send(answers);
    await settled();
    expect(outbox.getState().waiting).toMatchObject([{ clientId, isOnPhone: true, hasFailed: true, madeAt: noon }]);
    expect(onPhone).toEqual([{ clientId, link: 'L', madeAt: noon, answers }]);

    now += hour;
    outbox.tryAll();
    await settled();
    expect(sizes(outbox)).toEqual({ ...none, arrived: 1 });
    expect(post.mock.calls.map(([sent]) => [sent.clientId, sent.madeAt])).toEqual([
      [clientId, noon],
      [clientId, noon],
    ]);
    expect(onPhone).toEqual([]);
  });

  it('is not sent twice at the same time', async () => {
    const outbox = await opened();
    post.mockReturnValue(new Promise(() => undefined));
    outbox.send(answers);
    outbox.tryAll();
    outbox.tryAll();
    expect(post).toHaveBeenCalledTimes(1);
  });

  it('holds up no newer one', async () => {
    const outbox = await opened();
    post.mockReturnValueOnce(new Promise(() => undefined));
    outbox.send(answers);
    const newer = outbox.send(answers);
    await settled();
    expect(outbox.getState().arrived.map(({ clientId }) => clientId)).toEqual([newer]);
  });

  it('is dropped after 24 h and never sent, also on a page that stays open', async () => {
    const outbox = await opened();
    post.mockRejectedValueOnce(unreachable);
    outbox.send(answersOf({ ...emptyCheckIn, sinceYesterday: 'same' }));
    await settled();
    now += 24 * hour + 1;
    outbox.tryAll();
    expect(outbox.getState().tooOld).toEqual([noon]);
    expect(sizes(outbox).waiting).toBe(0);
    expect(post).toHaveBeenCalledTimes(1);
    expect(onPhone).toEqual([]);
  });

  it('with a red flag is sent however old it looks, because the clock may have been set meanwhile', async () => {
    const outbox = await opened();
    post.mockRejectedValueOnce(unreachable);
    outbox.send(answers);
    await settled();
    now += 48 * hour;
    elapsed += 60_000;
    outbox.tryAll();
    await settled();
    expect(sizes(outbox)).toEqual({ ...none, arrived: 1 });
    expect(post.mock.lastCall?.[1]).toBe(48 * hour);
  });

  it.each([
    ['the clock is set back', -48 * hour, hour, hour],
    ['the phone has slept', 5 * hour, 60_000, 5 * hour],
  ])('is as old as it is when it is sent, also if %s', async (_, byClock, byElapsed, age) => {
    const outbox = await opened();
    post.mockRejectedValueOnce(unreachable);
    outbox.send(answers);
    await settled();
    now += byClock;
    elapsed += byElapsed;
    outbox.tryAll();
    await settled();
    expect(post.mock.calls.map(([, ageMs]) => ageMs)).toEqual([0, age]);
  });

  it('is dropped if the server finds it older than that, because the phone’s clock was wrong', async () => {
    const outbox = await opened();
    const fields = { reportedAt: 'is older than a day' };
    post.mockRejectedValueOnce(new ApiFailure('invalid', 'Too old.', { status: 422, fields }));
    outbox.send(answers);
    await settled();
    expect(sizes(outbox)).toEqual({ ...none, tooOld: 1 });
    expect(onPhone).toEqual([]);
  });

  it('because its link has ended is not tried again, and not left on the phone', async () => {
    const outbox = await opened();
    const failure = new ApiFailure('link_unusable', 'No.', { status: 404 });
    post.mockRejectedValueOnce(failure);
    const clientId = outbox.send(answers);
    await settled();
    expect(outbox.getState().refused).toMatchObject([{ clientId, failure }]);
    expect(onPhone).toEqual([]);
    outbox.tryAll();
    expect(post).toHaveBeenCalledTimes(1);
  });

  it('waits in the page where the browser keeps nothing, and says so', async () => {
    phone.fingerprint.mockResolvedValue(null);
    const outbox = await opened();
    post.mockRejectedValueOnce(unreachable);
    outbox.send(answers);
    await settled();
    expect(outbox.getState().waiting).toMatchObject([{ isOnPhone: false, hasFailed: true }]);
    expect(phone.keep).not.toHaveBeenCalled();
  });

  it('waits in the page if the phone’s storage refuses', async () => {
    phone.keep.mockRejectedValueOnce(new Error('full'));
    const outbox = await opened();
    post.mockRejectedValueOnce(unreachable);
    outbox.send(answers);
    await settled();
    expect(outbox.getState().waiting).toMatchObject([{ isOnPhone: false, hasFailed: true }]);
  });
});

describe('what waits from an earlier visit', () => {
  it('is sent as soon as the link is opened, at the time when it was made', async () => {
    onPhone = [old(noon - hour, 'b')];
    const outbox = await opened();
    expect(post.mock.calls.map(([sent]) => [sent.clientId, sent.madeAt])).toEqual([['b', noon - hour]]);
    expect(sizes(outbox)).toEqual({ ...none, arrived: 1 });
    expect(onPhone).toEqual([]);
  });

  it.each([25, 24 * 400])(
    'is sent once with a red flag, although it looks %d h old, and then deleted',
    async (hours) => {
      onPhone = [old(noon - hours * hour, 'b')];
      post.mockRejectedValueOnce(unreachable);
      const outbox = await opened();
      expect(sizes(outbox)).toEqual({ ...none, waiting: 1 });
      outbox.tryAll();
      await settled();
      outbox.tryAll();
      expect(post.mock.calls.map(([, ageMs]) => ageMs)).toEqual([hours * hour, hours * hour]);
      expect(sizes(outbox)).toEqual({ ...none, arrived: 1 });
      expect(onPhone).toEqual([]);
    },
  );

  it('is named if it was too old', async () => {
    phone.take.mockResolvedValueOnce({ kept: [], tooOld: [noon - 25 * hour] });
    expect((await opened()).getState().tooOld).toEqual([noon - 25 * hour]);
  });

  it('hinders nothing if it cannot be read', async () => {
    phone.take.mockRejectedValueOnce(new Error('closed'));
    const outbox = await opened();
    outbox.send(answers);
    await settled();
    expect(sizes(outbox)).toEqual({ ...none, arrived: 1 });
  });
});

describe('on a phone whose clock is a day slow', () => {
  const day = 24 * hour;
  beforeEach(() => {
    aheadMs = day;
  });

  it('a check-in is named by the time of the ward, sent with its age, and kept by the clock of the phone', async () => {
    onPhone = [old(noon - hour, 'b')];
    post.mockRejectedValue(unreachable);
    const outbox = await opened();
    const clientId = outbox.send(answers);
    await settled();
    expect(outbox.getState().waiting.map(({ at }) => at)).toEqual([noon - hour + day, noon + day]);
    expect(post.mock.calls.map(([sent, ageMs]) => [sent.clientId, ageMs])).toEqual([
      ['b', hour],
      [clientId, 0],
    ]);
    expect(onPhone.map(({ madeAt }) => madeAt)).toEqual([noon - hour, noon]);
    expect(Object.keys(onPhone[1] ?? {}).sort()).toEqual(['answers', 'clientId', 'link', 'madeAt']);
  });

  it('one that was too old is named by the time of the ward', async () => {
    phone.take.mockResolvedValueOnce({ kept: [], tooOld: [noon - 25 * hour] });
    expect((await opened()).getState().tooOld).toEqual([noon - hour]);
  });
});

it('leaves nothing on the phone of a check-in that arrived while it was being kept', async () => {
  let keep = (): void => undefined;
  phone.keep.mockImplementationOnce(
    (checkIn) =>
      new Promise((resolve) => {
        keep = () => {
          onPhone.push(checkIn);
          resolve();
        };
      }),
  );
  const outbox = await opened();
  outbox.send(answers);
  await settled();
  expect(sizes(outbox).arrived).toBe(1);
  keep();
  await settled();
  expect(onPhone).toEqual([]);
});
