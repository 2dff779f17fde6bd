import { act, fireEvent, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { openCheckIn, requestCall, sendCheckIn } from '../../hooks/checkInCalls';
import { ApiFailure, clientFailure } from '../../lib/browser/client';
import { fingerprintOf, forgetCheckIn, keepCheckIn, takeKept } from '../../lib/browser/keptCheckIns';
import { noteResponse, thisMoment } from '../../lib/browser/serverClock';
import type { OpenedCheckIn, SentCheckIn } from '../../lib/checkIn/schema';
import { axeViolations } from '../../test/axeViolations';
import { CheckInScreen } from './CheckInScreen';

jest.mock('next/router', () => ({ __esModule: true, default: { replace: () => Promise.resolve(true) } }));
jest.mock('../../hooks/checkInCalls');
jest.mock('../../lib/browser/keptCheckIns', () => ({
  ...jest.requireActual<object>('../../lib/browser/keptCheckIns'),
  fingerprintOf: jest.fn(),
  keepCheckIn: jest.fn(),
  forgetCheckIn: jest.fn(),
  takeKept: jest.fn(),
}));

const noon = Date.parse('2026-05-01T12:00:00Z');
/** Everything but the clock runs. */
const timers = [
  'setTimeout',
  'clearTimeout',
  'setInterval',
  'clearInterval',
  'setImmediate',
  'clearImmediate',
  'nextTick',
  'queueMicrotask',
  'performance',
  'requestAnimationFrame',
  'cancelAnimationFrame',
  'requestIdleCallback',
  'cancelIdleCallback',
  'hrtime',
] as const;
const secret = 's'.repeat(43);
const opened: OpenedCheckIn = {
  initials: 'AB',
  siteName: 'Harbour Ward',
  for: 'patient',
  emergencyNumber: '112',
  outOfHoursText: 'The ward answers from 8 to 20. At night call 020 7946 0958.',
  timeZone: 'Europe/London',
  dueTimes: ['08:00', '14:00', '20:00'],
  nextDueAt: '2026-05-01T13:00:00Z',
  expiresAt: '2026-05-20T00:00:00Z',
  scale: 1,
  isUnder16: false,
  red: { spo2: [{ is: 'atMost', value: 91 }], pulseRate: [{ is: 'atLeast', value: 131 }], respiratoryRate: [] },
  lastReportAt: null,
};
const answer: SentCheckIn = {
  redFlags: [],
  redReadings: [],
  advice: null,
  nextDueAt: '2026-05-01T19:00:00Z',
  yearTriesLeft: null,
};
const unreachable = clientFailure('unreachable');
const unusable = new ApiFailure('link_unusable', 'No.', { status: 404 });

beforeEach(() => {
  jest.useFakeTimers({ now: noon, doNotFake: [...timers] });
  // The clock of the phone is right, whatever the test before said of it.
  noteResponse(noon, thisMoment());
  HTMLDialogElement.prototype.showModal = function showModal() {
    this.open = true;
  };
  HTMLDialogElement.prototype.close = function close() {
    this.open = false;
  };
  window.scrollTo = () => undefined;
  jest.mocked(openCheckIn).mockReset().mockResolvedValue(opened);
  jest.mocked(sendCheckIn).mockReset().mockResolvedValue(answer);
  jest.mocked(requestCall).mockReset().mockResolvedValue({ requestedAt: '2026-05-01T12:00:00Z', yearTriesLeft: null });
  jest.mocked(fingerprintOf).mockResolvedValue('L');
  jest.mocked(keepCheckIn).mockReset().mockResolvedValue(undefined);
  jest.mocked(forgetCheckIn).mockReset().mockResolvedValue(undefined);
  jest.mocked(takeKept).mockReset().mockResolvedValue({ kept: [], tooOld: [] });
});
afterEach(() => {
  jest.useRealTimers();
});

const press = (name: string | RegExp) => userEvent.click(screen.getByRole('button', { name }));
const type = (label: string, text: string) => userEvent.type(screen.getByLabelText(label), text);
const alerts = () =>
  screen
    .getAllByRole('alert')
    .map(({ textContent }) => textContent)
    .join('');
const tick = (name: string) => userEvent.click(screen.getByRole('checkbox', { name }));
const choose = (question: string, choice: string) =>
  userEvent.click(within(screen.getByRole('group', { name: question })).getByRole('radio', { name: choice }));
const advice = 'Call 112 now. Do not wait for us.';

function openLink(hash = `#${secret}`) {
  window.history.replaceState(null, '', `/check_in${hash}`);
  return render(<CheckInScreen />);
}
async function openForm(change: Partial<OpenedCheckIn> = {}) {
  jest.mocked(openCheckIn).mockResolvedValue({ ...opened, ...change });
  const shown = openLink();
  await type('The patient’s year of birth', '1950');
  await press('Continue');
  await screen.findByRole('heading', { name: /^This check-in is for/ });
  return shown;
}

describe('the link of a check-in', () => {
  it('without its secret, as after a reload, says to open it again', () => {
    openLink('');
    expect(screen.getByRole('heading', { name: 'Open the link again' })).toBeTruthy();
    expect(screen.getByText(/your local emergency number/)).toBeTruthy();
  });

  it('leaves the address bar and the history at once', () => {
    openLink();
    expect(window.location.href).toBe('http://localhost/check_in');
  });

  it('is not opened by something that is no year', async () => {
    openLink();
    await type('The patient’s year of birth', '50');
    await press('Continue');
    expect(alerts()).toContain('4 digits');
    expect(openCheckIn).not.toHaveBeenCalled();
  });

  it.each([
    ['Call your ward and ask for a new one.', unusable],
    ['You can try 3 more times.', new ApiFailure('wrong_year', 'No.', { status: 403, triesLeft: 3 })],
    ['You can try 1 more time.', new ApiFailure('wrong_year', 'No.', { status: 403, triesLeft: 1 })],
    ['so this link is locked.', new ApiFailure('wrong_year', 'No.', { status: 403, triesLeft: 0 })],
    ['The server cannot be reached. Try again.', unreachable],
  ])('that does not open says what to do: %s', async (text, failure) => {
    jest.mocked(openCheckIn).mockRejectedValue(failure);
    openLink();
    await type('The patient’s year of birth', '1950');
    await press('Continue');
    expect(alerts()).toContain(text);
    expect(screen.queryByText(/A\. B\./)).toBeNull();
  });

  it.each([unusable, new ApiFailure('wrong_year', 'No.', { status: 403, triesLeft: 0 })])(
    'that opens no more takes no other year, and still asks the ward to call: %s',
    async (failure) => {
      jest.mocked(openCheckIn).mockRejectedValue(failure);
      openLink();
      await type('The patient’s year of birth', '1950');
      await press('Continue');
      expect(screen.queryByRole('button', { name: 'Continue' })).toBeNull();
      await press('I need help - call me');
      await press('Yes, call me');
      expect(jest.mocked(requestCall).mock.lastCall?.[0]).toEqual({ secret, yearOfBirth: 1950 });
      expect(screen.getByText('Your ward got your request.')).toBeTruthy();
    },
  );

  it('shows for whom it is, and in every state whom to call in an emergency', async () => {
    const { container } = await openForm();
    expect(openCheckIn).toHaveBeenCalledWith({ secret, yearOfBirth: 1950 });
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('This check-in is for A. B.');
    expect(screen.getByRole('link', { name: 'Emergency: call 112' }).getAttribute('href')).toBe('tel:112');
    expect(screen.getByText('This is not an emergency service.')).toBeTruthy();
    expect(screen.getByText('Answer what you can. Next check-in: 14:00.')).toBeTruthy();
    expect(screen.getByText(/^The ward answers from 8 to 20/)).toBeTruthy();
    await expect(axeViolations(container)).resolves.toEqual([]);
  });
});

describe('the form', () => {
  it('has nothing chosen, and is not sent empty', async () => {
    await openForm();
    expect(screen.queryAllByRole('radio', { checked: true })).toEqual([]);
    expect(screen.queryAllByRole('checkbox', { checked: true })).toEqual([]);
    await press('Send');
    expect(alerts()).toContain('Nothing is answered yet.');
    expect(sendCheckIn).not.toHaveBeenCalled();
  });

  it('sends what was chosen, and everything else as unanswered; a choice can be cleared', async () => {
    await openForm();
    await choose('How breathless, at this moment?', '0');
    await choose('Compared with yesterday', 'The same');
    await choose('Cough', 'Mild');
    await choose('Fever', 'No');
    await press('Clear the answer to: Fever');
    await type('Oxygen (SpO2)', '95');
    await press('Send');
    const [key, { answers } = { answers: null }] = jest.mocked(sendCheckIn).mock.lastCall ?? [];
    expect(key).toEqual({ secret, yearOfBirth: 1950 });
    expect(answers).toMatchObject({
      breathlessness: 0,
      sinceYesterday: 'same',
      redFlags: [],
      readings: { spo2: 95 },
      answers: { cough: 'mild', fever: 'unanswered', headache: 'unanswered' },
    });
    const list = await screen.findByRole('list');
    expect(list.textContent).toContain('Breathlessness now: 0 of 10');
    expect(screen.getByRole('heading', { name: /^Sent/ })).toBe(document.activeElement);
    expect(screen.getByText('Next check-in: 20:00.')).toBeTruthy();
    expect(screen.queryByText(advice)).toBeNull();
  });

  it('is sent once, however often it is pressed', async () => {
    await openForm();
    jest.mocked(sendCheckIn).mockReturnValue(new Promise(() => undefined));
    await choose('Cough', 'Mild');
    await press('Send');
    await press('Sending …');
    expect(sendCheckIn).toHaveBeenCalledTimes(1);
  });

  it('shows a slip in a number at its field and sends nothing until it is corrected', async () => {
    await openForm();
    await choose('Cough', 'Mild');
    await type('Temperature', '98.6');
    await press('Send');
    expect(screen.getByText('Type a number from 10 to 46 °C.')).toBeTruthy();
    expect(document.activeElement).toBe(screen.getByLabelText('Temperature'));
    expect(sendCheckIn).not.toHaveBeenCalled();
  });

  it('is not held up by a slip if there is a danger sign', async () => {
    await openForm();
    await type('Temperature', '98.6');
    await tick('Blue lips or face');
    await press('Send');
    expect(jest.mocked(sendCheckIn).mock.lastCall?.[1].answers).toMatchObject({ redFlags: ['blueLips'], readings: {} });
  });

  it('keeps what was typed if the link has ended meanwhile, and says whom to tell', async () => {
    await openForm();
    jest.mocked(sendCheckIn).mockRejectedValue(unusable);
    await choose('Cough', 'Mild');
    await press('Send');
    await screen.findByText(/^Not sent: this link does not work any more\..*Call your ward/);
    expect(within(screen.getByRole('group', { name: 'Cough' })).getByRole('radio', { name: 'Mild' })).toHaveProperty(
      'checked',
      true,
    );
    expect(screen.queryByText('Not sent yet')).toBeNull();
  });
});

describe('the emergency advice', () => {
  it('comes with a ticked danger sign before anything is sent, and takes the focus', async () => {
    await openForm();
    await tick('Blue lips or face');
    const region = screen.getByText(advice).closest('[role=alert]');
    expect(region).toBe(document.activeElement);
    expect(
      within(region as HTMLElement)
        .getByRole('link', { name: 'Call 112' })
        .getAttribute('href'),
    ).toBe('tel:112');
    expect(sendCheckIn).not.toHaveBeenCalled();
  });

  it('comes with an answer that implies a danger sign', async () => {
    await openForm();
    await choose('Coughing up blood', 'Mild');
    expect(screen.getByText(advice)).toBeTruthy();
  });

  it('comes with a RED reading when its field is left, and not while "9" is on its way to "95"', async () => {
    await openForm();
    await type('Oxygen (SpO2)', '9');
    expect(screen.queryByText(advice)).toBeNull();
    await type('Oxygen (SpO2)', '1');
    expect(screen.queryByText(advice)).toBeNull();
    await userEvent.tab();
    expect(screen.getByText(advice)).toBeTruthy();
    expect(screen.getByText('Because of: Oxygen (SpO2): 91 %.')).toBeTruthy();
  });

  it('comes with a number lower than the page takes, which is asked again and not sent', async () => {
    await openForm({ red: { ...opened.red, pulseRate: [{ is: 'atMost', value: 40 }] } });
    await type('Pulse', '15');
    await press('Send');
    expect(screen.getByText(advice)).toBeTruthy();
    expect(screen.getByText('Because of: Pulse: 15.')).toBeTruthy();
    expect(screen.getByText('Type a number from 20 to 300.')).toBeTruthy();
    expect(document.activeElement).toBe(screen.getByLabelText('Pulse'));
    expect(sendCheckIn).not.toHaveBeenCalled();
  });

  it('comes with a number that has its unit behind it', async () => {
    await openForm();
    await type('Oxygen (SpO2)', '88 %');
    await userEvent.tab();
    expect(screen.getByText('Because of: Oxygen (SpO2): 88 %.')).toBeTruthy();
  });

  it('comes as well if the field is never left, without taking the keyboard away', async () => {
    await openForm();
    jest.useFakeTimers({ now: noon });
    screen.getByLabelText('Pulse').focus();
    fireEvent.change(screen.getByLabelText('Pulse'), { target: { value: '140' } });
    expect(screen.queryByText(advice)).toBeNull();
    act(() => {
      jest.advanceTimersByTime(1_500);
    });
    expect(screen.getByText(advice)).toBeTruthy();
    expect(document.activeElement).toBe(screen.getByLabelText('Pulse'));
  });

  it('stays if the sign is taken back, and says so', async () => {
    await openForm();
    await tick('Blue lips or face');
    await tick('Blue lips or face');
    expect(screen.getByText(advice)).toBeTruthy();
    expect(screen.getByText('You took this back. If it is true, call: Blue lips or face.')).toBeTruthy();
  });

  it('stays after sending, and comes if only the server finds the danger', async () => {
    await openForm();
    jest.mocked(sendCheckIn).mockResolvedValue({ ...answer, redReadings: ['respiratoryRate'], advice });
    await type('Breaths per minute', '30');
    await press('Send');
    await screen.findByRole('heading', { name: /^Sent/ });
    expect(screen.getByText('Because of: Breaths per minute: 30.')).toBeTruthy();
    await press('Check in again');
    expect(screen.queryByText(advice)).toBeNull();
  });

  it('names no number if the site has none, and offers no link that dials two', async () => {
    const { unmount } = await openForm({ emergencyNumber: null });
    await tick('Blue lips or face');
    expect(screen.getByText('Call the local emergency number now. Do not wait for us.')).toBeTruthy();
    unmount();
    await openForm({ emergencyNumber: '112 or 999' });
    await tick('Blue lips or face');
    expect(screen.queryByRole('link')).toBeNull();
  });
});

describe('without a connection', () => {
  it('the check-in is kept, the page says so and that the ward knows nothing, and the advice is there', async () => {
    const { container } = await openForm();
    jest.mocked(sendCheckIn).mockRejectedValue(unreachable);
    await tick('Blue lips or face');
    await press('Send');
    await screen.findByRole('heading', { name: 'Not sent yet' });
    expect(screen.getByText(/Kept on this phone until it is sent\./).textContent).toContain(
      'Your ward does not know this yet.',
    );
    expect(screen.getByText(advice)).toBeTruthy();
    await expect(axeViolations(container)).resolves.toEqual([]);

    jest.mocked(sendCheckIn).mockResolvedValue(answer);
    await act(async () => {
      window.dispatchEvent(new Event('online'));
      await Promise.resolve();
    });
    await screen.findByRole('heading', { name: /^Sent/ });
    expect(sendCheckIn).toHaveBeenCalledTimes(2);
  });

  it('a new one can be made, and the first is still said to wait', async () => {
    await openForm();
    jest.mocked(sendCheckIn).mockRejectedValue(unreachable);
    await choose('Cough', 'Mild');
    await press('Send');
    await screen.findByRole('heading', { name: 'Not sent yet' });
    await press('Make a new check-in');
    expect(screen.getByText(/^Your check-in of 01 May, 13:00 is not sent yet\./)).toBeTruthy();
    expect(screen.queryAllByRole('radio', { checked: true })).toEqual([]);
  });

  it('one of an earlier visit is said to have been too old, and whether the ward may have it', async () => {
    const tooOld = [
      { madeAt: Date.parse('2026-04-30T11:00:00Z'), mayHaveArrived: false },
      { madeAt: Date.parse('2026-04-30T12:00:00Z'), mayHaveArrived: true },
    ];
    jest
      .mocked(takeKept)
      .mockImplementation((link) => Promise.resolve({ kept: [], tooOld: link === 'L' ? tooOld : [] }));
    await openForm();
    await screen.findByText(
      /^Your check-in of 30 Apr, 12:00 could not be sent within 24 hours\. Your ward never got it/,
    );
    expect(
      screen.getByText(/^It is not known whether your ward got your check-in of 30 Apr, 13:00\. .*deleted/),
    ).toBeTruthy();
  });

  it('whose answer was lost is never said to be unknown to the ward, whatever comes later', async () => {
    await openForm();
    jest.mocked(sendCheckIn).mockRejectedValueOnce(clientFailure('no_response')).mockRejectedValueOnce(unreachable);
    await choose('Cough', 'Mild');
    await press('Send');
    await screen.findByRole('heading', { name: 'Not confirmed yet' });
    expect(screen.getByText(/Kept on this phone/).textContent).toContain('It is not known whether your ward got this.');
    await press('Try now');
    expect(screen.queryByText(/does not know this/)).toBeNull();
    await press('Make a new check-in');
    expect(
      screen.getByText(/^It is not known whether your ward got your check-in of 01 May, 13:00\. Kept on/),
    ).toBeTruthy();
  });

  it('whose answer was lost is not said to be unsent when the link has ended since', async () => {
    await openForm();
    jest.mocked(sendCheckIn).mockRejectedValueOnce(clientFailure('no_response')).mockRejectedValueOnce(unusable);
    await choose('Cough', 'Mild');
    await press('Send');
    await screen.findByRole('heading', { name: 'Not confirmed yet' });
    await press('Try now');
    await screen.findByText(/^It is not known whether your ward got this: this link does not work any more\./);
    expect(screen.queryByText(/^Not sent/)).toBeNull();
  });
});

describe('on a phone whose clock is a day wrong', () => {
  const day = 24 * 3_600_000;
  it.each([
    ['slow', -day],
    ['fast', day],
  ])('%s: what is due, what waits and until when is said by the clock of the ward', async (_, wrongBy) => {
    jest.setSystemTime(noon + wrongBy);
    noteResponse(noon, thisMoment());
    jest.mocked(sendCheckIn).mockRejectedValueOnce(unreachable);
    await openForm();
    expect(screen.getByText(/Next check-in: 14:00\./)).toBeTruthy();
    await choose('Cough', 'Mild');
    await press('Send');
    await screen.findByRole('heading', { name: 'Not sent yet' });
    expect(screen.getByText(/Kept on this phone until 02 May, 13:00\./)).toBeTruthy();
    await press('Make a new check-in');
    expect(screen.getByText(/^Your check-in of 01 May, 13:00 is not sent yet\./)).toBeTruthy();
    await choose('Cough', 'Mild');
    await press('Send');
    await screen.findByRole('heading', { name: /^Sent/ });
    expect(screen.getByText(/Next check-in: 20:00\./)).toBeTruthy();
  });
});

describe('"call me"', () => {
  const ask = async (): Promise<void> => {
    await openForm();
    await press('I need help - call me');
  };

  it('asks once and says what happens, before anything is sent', async () => {
    await ask();
    expect(screen.getByRole('dialog', { name: 'Ask the ward to call' }).textContent).toContain(
      'The ward gets an alert',
    );
    await press('No, go back');
    expect(requestCall).not.toHaveBeenCalled();
  });

  it('says that the ward knows', async () => {
    await ask();
    await press('Yes, call me');
    await expect(screen.findByText('Your ward got your request at 13:00.')).resolves.toBeTruthy();
  });

  it('keeps that in sight if "Yes" is tapped twice: "Close" has come to its place', async () => {
    await ask();
    const answeredAt = performance.now();
    const clock = jest.spyOn(performance, 'now').mockReturnValue(answeredAt);
    await press('Yes, call me');
    await screen.findByText(/^Your ward got your request/);
    clock.mockReturnValue(answeredAt + 300);
    await press('Close');
    const isOpen = () => screen.queryByRole('dialog') !== null;
    expect([isOpen(), jest.mocked(requestCall).mock.calls.length]).toEqual([true, 1]);
    clock.mockReturnValue(answeredAt + 600);
    await press('Close');
    clock.mockRestore();
    expect(isOpen()).toBe(false);
  });

  it.each([
    ['This did not reach your ward. The server cannot be reached.', unreachable],
    ['It is not known whether this reached your ward.', clientFailure('no_response')],
    ['It is not known whether this reached your ward.', clientFailure('aborted')],
    ['This did not reach your ward: the link does not work any more.', unusable],
  ])('is never kept for later: %s', async (text, failure) => {
    await ask();
    jest.mocked(requestCall).mockRejectedValue(failure);
    await press('Yes, call me');
    await screen.findByText(text);
    expect(within(screen.getByRole('dialog')).getByRole('link', { name: 'Call 112' })).toBeTruthy();
    act(() => {
      window.dispatchEvent(new Event('online'));
    });
    expect(requestCall).toHaveBeenCalledTimes(1);
  });

  it('counts once if it is tried again, and as a new request if it is opened again', async () => {
    await ask();
    jest.mocked(requestCall).mockRejectedValueOnce(clientFailure('no_response'));
    await press('Yes, call me');
    await screen.findByText(/It is not known/);
    await press('Try again');
    await screen.findByText(/^Your ward got your request/);
    await press('Close');
    await press('I need help - call me');
    await press('Yes, call me');
    await screen.findByText(/^Your ward got your request/);
    const [first, second, third] = jest.mocked(requestCall).mock.calls.map(([, clientId]) => clientId);
    expect(second).toBe(first);
    expect(third).not.toBe(first);
  });
});

describe('a year of birth that the ward has corrected meanwhile', () => {
  const wrongYear = new ApiFailure('wrong_year', 'No.', { status: 403, triesLeft: 4 });
  const isWrong = /^The year of birth that you typed is not the one that your ward has\. Type it again or call/;
  const typeAgain = async (): Promise<void> => {
    await type('The patient’s year of birth', '1951');
    await press('Continue');
  };

  it('is asked again without losing what was typed, and not said to be a link that ended', async () => {
    const { container } = await openForm();
    jest.mocked(sendCheckIn).mockRejectedValueOnce(wrongYear);
    await type('Oxygen (SpO2)', '95');
    await press('Send');
    await screen.findByText(isWrong);
    expect(screen.queryByText(/does not work any more/)).toBeNull();
    await expect(axeViolations(container)).resolves.toEqual([]);
    await typeAgain();
    expect(screen.queryByText(isWrong)).toBeNull();
    await press('Send');
    await screen.findByRole('heading', { name: /^Sent/ });
    expect(jest.mocked(sendCheckIn).mock.calls.map(([key]) => key.yearOfBirth)).toEqual([1950, 1951]);
  });

  it('is asked again after a red flag that was passed on as a need of help', async () => {
    await openForm();
    jest.mocked(sendCheckIn).mockResolvedValueOnce({ ...answer, nextDueAt: null, yearTriesLeft: 4 });
    await tick('Blue lips or face');
    await press('Send');
    await screen.findByRole('heading', { name: /^Sent\. Your ward knows that help is needed/ });
    expect(screen.getByText(isWrong)).toBeTruthy();
    expect(screen.queryByText('This link is locked.')).toBeNull();
    await typeAgain();
    expect(screen.queryByText(isWrong)).toBeNull();
  });

  it('is asked again after "call me", which the ward got', async () => {
    await openForm();
    jest.mocked(requestCall).mockResolvedValueOnce({ requestedAt: '2026-05-01T12:00:00Z', yearTriesLeft: 4 });
    await press('I need help - call me');
    await press('Yes, call me');
    await screen.findByText(/^Your ward got your request/);
    expect(screen.getByText(isWrong)).toBeTruthy();
    await typeAgain();
    expect(screen.queryByText(isWrong)).toBeNull();
  });

  it('is not asked again once the link is locked', async () => {
    await openForm();
    jest.mocked(sendCheckIn).mockResolvedValueOnce({ ...answer, nextDueAt: null, yearTriesLeft: 0 });
    await tick('Blue lips or face');
    await press('Send');
    await screen.findByText(/^The year was wrong too often, so this link is locked/);
    expect(screen.queryByRole('button', { name: 'Continue' })).toBeNull();
  });
});
