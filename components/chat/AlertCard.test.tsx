import { render, screen } from '@testing-library/react';
import { useMessageContext } from 'stream-chat-react';
import { useServerLost } from '../../hooks/useServerLost';
import { useShownAlerts, type ShownAlerts } from '../../hooks/useShownAlerts';
import type { AlertItem } from '../../lib/alerts/schema';
import { clientFailure } from '../../lib/browser/client';
import { alertMessage, alertText } from '../../lib/chat/alertMessage';
import { axeViolations } from '../../test/axeViolations';
import { answered } from '../../test/calls';
import { inventedAlert } from '../../test/inventedAlert';
import { secondsAgo, wardNow } from '../../test/inventedWard';
import { AlertAttachment } from './AlertCard';
import { ChatAlertsContext, useChatAlerts } from './chatAlerts';

jest.mock('../../hooks/useShownAlerts');
jest.mock('../../hooks/useServerLost');
jest.mock('stream-chat-react', () => ({ useMessageContext: jest.fn() }));

const nia = { by: { id: 4, name: 'Nia Newcomer' }, at: secondsAgo(30) };

function Cards({ alertIds, canRead = true }: { alertIds: readonly number[]; canRead?: boolean }) {
  const value = useChatAlerts({ timeZone: 'UTC', openedAt: wardNow, canRead });
  return (
    <ChatAlertsContext value={value}>
      {alertIds.map((id, place) => (
        <AlertAttachment key={place} attachment={alertMessage('m', id).attachments[0]} />
      ))}
    </ChatAlertsContext>
  );
}

const setText = (text: string) => jest.mocked(useMessageContext).mockReturnValue({ message: { text } } as never);
const setAlerts = (items: AlertItem[], asked: readonly number[], change: object = {}) =>
  jest
    .mocked(useShownAlerts)
    .mockReturnValue(answered<ShownAlerts>({ items, total: items.length, version: '1', asked }, change));
const card = (id: number): HTMLElement => screen.getByRole('region', { name: `Alert ${id}` });

beforeEach(() => {
  setText(alertText(3));
  jest.mocked(useServerLost).mockReturnValue(null);
});

describe('the card of an alert in the chat', () => {
  it.each([
    ['the server leaves it out', true],
    ['they may see no alerts', false],
  ])('shows nothing to those who cannot see it: %s', (_, canRead) => {
    setAlerts([], [3]);
    render(<Cards alertIds={[3]} canRead={canRead} />);
    expect(card(3).textContent).toBe('You cannot see this alert.');
    expect(screen.queryByRole('link')).toBeNull();
  });

  it('asks nothing for those who may see no alerts', () => {
    setAlerts([], []);
    render(<Cards alertIds={[3]} canRead={false} />);
    expect(jest.mocked(useShownAlerts).mock.lastCall).toEqual([[]]);
  });

  it('says what is going on and where, without the name and the MRN', async () => {
    setAlerts([inventedAlert(3)], [3]);
    const { container } = render(<Cards alertIds={[3]} />);
    const { textContent } = card(3);
    expect(textContent).toContain('High priority');
    expect(textContent).toContain('SpO2 86 % < 88 for 1 min');
    expect(textContent).toContain('East · Bed 1');
    expect(textContent).toContain('Not taken, not acknowledged');
    expect(textContent).toMatch(/Raised \d+ s ago/);
    expect(textContent).not.toMatch(/Sample1|Sam|A-1/);
    expect(screen.getByRole('link').getAttribute('href')).toBe('/patient_details?ids=1');
    await expect(axeViolations(container)).resolves.toEqual([]);
  });

  it('is one read for all cards, also for two of one alert, and follows which are shown', () => {
    setAlerts([], []);
    const { rerender } = render(<Cards alertIds={[9, 3, 9]} />);
    const asked = () => jest.mocked(useShownAlerts).mock.lastCall;
    expect(asked()).toEqual([[3, 9]]);
    rerender(<Cards alertIds={[9, 3]} />);
    expect(asked()).toEqual([[3, 9]]);
    rerender(<Cards alertIds={[9]} />);
    expect(asked()).toEqual([[9]]);
  });

  it('changes with the alert: taken, ended, closed', () => {
    setAlerts([inventedAlert(3)], [3]);
    const { rerender } = render(<Cards alertIds={[3]} />);
    setAlerts([inventedAlert(3, { accepted: nia, acknowledged: nia })], [3]);
    rerender(<Cards alertIds={[3]} />);
    expect(card(3).textContent).toMatch(/Taken by Nia Newcomer, \d+ s ago/);
    const ended = { condition: 'ended', endedAt: secondsAgo(20), acknowledged: nia } as const;
    setAlerts([inventedAlert(3, ended)], [3]);
    rerender(<Cards alertIds={[3]} />);
    expect(card(3).textContent).toMatch(/Ended \d+ s ago\. Acknowledged by Nia Newcomer/);
    setAlerts([inventedAlert(3, { ...ended, closedAt: secondsAgo(10), closedBecause: 'ended' })], [3]);
    rerender(<Cards alertIds={[3]} />);
    expect(card(3).textContent).toMatch(/Ended \d+ s ago\. Closed\. Acknowledged by Nia Newcomer/);
  });

  it('is marked as old while the server is away, and nothing on it grows older', () => {
    setAlerts([inventedAlert(3, { headline: 'SpO2 86 % now' })], [3]);
    jest.mocked(useServerLost).mockReturnValue(wardNow - 20_000);
    render(<Cards alertIds={[3]} />);
    expect(card(3).textContent).toMatch(/Not live, as of \d\d:\d\dSpO2 86 % at \d\d:\d\dEast/);
    expect(card(3).textContent).not.toContain('ago');
  });

  it('is marked as old when its read fails, and says so if there never was one', () => {
    const error = clientFailure('unreachable');
    setAlerts([inventedAlert(3)], [3], { error });
    const { rerender } = render(<Cards alertIds={[3]} />);
    expect(card(3).textContent).toContain('Not live, as of');
    setAlerts([], [], { data: undefined, error });
    rerender(<Cards alertIds={[3]} />);
    expect(card(3).textContent).toBe(`Alert 3 cannot be shown now. ${error.message}`);
  });

  it('says that it is loading until the server was asked for it', () => {
    setAlerts([inventedAlert(9)], [9]);
    render(<Cards alertIds={[3, 9]} />);
    expect(card(3).textContent).toBe('Alert 3 is loading …');
    expect(card(9).textContent).toContain('High priority');
  });

  it('is equipment by its name where no patient is shown', () => {
    const gateway = {
      patientId: null,
      patient: null,
      parameter: 'gateway',
      deviceId: 4,
      deviceName: 'Gateway 4',
    } as const;
    setAlerts([inventedAlert(3, gateway)], [3]);
    render(<Cards alertIds={[3]} />);
    expect(card(3).textContent).toContain('Gateway 4');
    expect(screen.getByRole('link').getAttribute('href')).toBe('/alerts');
  });

  it.each([
    [alertText(3), true],
    ['Can you come? Alert 3', false],
  ])('hides the words for other devices alone: %s', (text, isAlone) => {
    setText(text);
    setAlerts([inventedAlert(3)], [3]);
    const { container } = render(<Cards alertIds={[3]} />);
    expect(container.querySelector('[data-alone]') !== null).toBe(isAlone);
  });

  it('is not made of what is no number of an alert', () => {
    setAlerts([], []);
    render(<AlertAttachment attachment={{ type: 'wardlight_alert', alertId: 'Ada' } as never} />);
    expect(screen.getByText('This attachment cannot be shown here.')).toBeTruthy();
    expect(screen.queryByRole('region')).toBeNull();
  });
});
