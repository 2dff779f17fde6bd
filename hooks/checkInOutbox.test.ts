import { clientFailure, ApiFailure } from '../lib/browser/client';
import type { KeptCheckIn, TooOld } from '../lib/checkIn/keptSchema';
import type { SentCheckIn } from '../lib/checkIn/schema';
import { answersOf, emptyCheckIn } from '../lib/checkIn/typedCheckIn';
import { createOutbox, type Outbox } from './checkInOutbox';

const hour = 3_600_000;
const noon = Date.parse('2026-05-01T12:00:00Z');
const answers = answersOf({ ...emptyCheckIn, ticked: ['blueLips'] });
const answer: SentCheckIn = {
  redFlags: [],
  redReadings: [],
  advice: null,
  nextDueAt: '2026-05-01T14:00:00Z',
  yearTriesLeft: null,
};
const old = (madeAt: number, clientId: string): KeptCheckIn => ({
  clientId,
  link: 'L',
  madeAt,
  answers,
  mayHaveArrived: false,
});

let now = noon;
let elapsed = 0;
let aheadMs = 0;
let onPhone: KeptCheckIn[] = [];
const post = jest.fn<Promise<SentCheckIn>, [KeptCheckIn, number]>();
const phone = {
  fingerprint: jest.fn(() => Promise.resolve<string | null>('L')),
  keep: jest.fn((checkIn: KeptCheckIn) => {
    onPhone = [...onPhone.filter(({ clientId }) => clientId !== checkIn.clientId), checkIn];
    return Promise.resolve();
  }),
  forget: jest.fn((clientId: string) => {
    onPhone = onPhone.filter((each) => each.clientId !== clientId);
    return Promise.resolve();
  }),
  take: jest.fn(() => Promise.resolve({ kept: [...onPhone], tooOld: [] as TooOld[] })),
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
    expect(onPhone).toMatchObject([{ clientId, link: 'L', madeAt: noon, answers }]);

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
    expect(outbox.getState().tooOld).toEqual([{ at: noon, mayHaveArrived: false }]);
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
    phone.keep.mockRejectedValueOnce(new Error('full')).mockRejectedValueOnce(new Error('full'));
    const outbox = await opened();
    post.mockRejectedValueOnce(unreachable);
    outbox.send(answers);
    await settled();
    expect(outbox.getState().waiting).toMatchObject([{ isOnPhone: false, hasFailed: true }]);
  });
});

describe('whether the ward may have a check-in', () => {
  const mild = answersOf({ ...emptyCheckIn, sinceYesterday: 'same' });
  const failAll = async (outbox: Outbox, failures: readonly ApiFailure[]): Promise<void> => {
    for (const failure of failures) {
      post.mockRejectedValueOnce(failure);
      if (post.mock.calls.length === 0) {
        outbox.send(mild);
      } else {
        outbox.tryAll();
      }
      await settled();
    }
  };
  it.each([
    [false, [unreachable]],
    [false, [new ApiFailure('failed', 'No.', { status: 503 }), unreachable]],
    [true, [clientFailure('no_response')]],
    [true, [clientFailure('aborted')]],
    [true, [new ApiFailure('internal', 'No.', { status: 500 })]],
    // What came later says nothing of the try before it.
    [true, [clientFailure('no_response'), unreachable]],
    [true, [unreachable, clientFailure('no_response')]],
  ])('is known to be %s after %j, on the phone as well, and after 24 h', async (mayHaveArrived, failures) => {
    const outbox = await opened();
    await failAll(outbox, failures);
    expect(outbox.getState().waiting).toMatchObject([{ mayHaveArrived }]);
    expect(onPhone).toMatchObject([{ mayHaveArrived }]);
    now += 24 * hour + 1;
    outbox.tryAll();
    expect(outbox.getState().tooOld).toEqual([{ at: noon, mayHaveArrived }]);
  });

  it('is unknown on the phone while it is being sent: the page may be closed before the answer', async () => {
    onPhone = [old(noon - hour, 'b')];
    post.mockReturnValue(new Promise(() => undefined));
    const outbox = await opened();
    outbox.send(mild);
    await settled();
    expect(onPhone).toMatchObject([{ mayHaveArrived: true }, { mayHaveArrived: true }]);
    // The page itself says nothing of it before it is known.
    expect(outbox.getState().waiting).toMatchObject([{ mayHaveArrived: false }, { mayHaveArrived: false }]);
  });

  it('is said of one that is refused for good after a lost answer', async () => {
    const outbox = await opened();
    await failAll(outbox, [clientFailure('no_response'), new ApiFailure('link_unusable', 'No.', { status: 404 })]);
    expect(outbox.getState().refused).toMatchObject([{ mayHaveArrived: true }]);
  });

  it('is known if the server says that it has none and takes none any more', async () => {
    const outbox = await opened();
    const fields = { reportedAt: 'is older than a day' };
    await failAll(outbox, [clientFailure('no_response'), new ApiFailure('invalid', 'No.', { status: 422, fields })]);
    expect(outbox.getState().tooOld).toEqual([{ at: noon, mayHaveArrived: false }]);
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
    phone.take.mockResolvedValueOnce({ kept: [], tooOld: [{ madeAt: noon - 25 * hour, mayHaveArrived: true }] });
    expect((await opened()).getState().tooOld).toEqual([{ at: noon - 25 * hour, mayHaveArrived: true }]);
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
    expect(Object.keys(onPhone[1] ?? {}).sort()).toEqual(['answers', 'clientId', 'link', 'madeAt', 'mayHaveArrived']);
  });

  it('one that was too old is named by the time of the ward', async () => {
    phone.take.mockResolvedValueOnce({ kept: [], tooOld: [{ madeAt: noon - 25 * hour, mayHaveArrived: false }] });
    expect((await opened()).getState().tooOld).toEqual([{ at: noon - hour, mayHaveArrived: false }]);
  });
});

it('leaves nothing on the phone of a check-in that arrived while it was being kept', async () => {
  let keep = (): void => undefined;
  phone.keep.mockImplementationOnce(
    (checkIn) =>
      new Promise((resolve) => {
        keep = () => {
          onPhone = [checkIn];
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
