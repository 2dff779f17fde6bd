import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HasChatContext } from '../../hooks/useChat';
import type { AlertItem } from '../../lib/alerts/schema';
import type { User } from '../../lib/session/schema';
import { inventedAlert } from '../../test/inventedAlert';
import { inventedUser, wardNow } from '../../test/inventedWard';
import { AlertActions } from './AlertActions';

const onDialog = jest.fn();
const alert = inventedAlert(1);

async function openMenu(hasChat: boolean, of: { alert?: AlertItem; user?: User; isClosed?: boolean } = {}) {
  render(
    <HasChatContext value={hasChat}>
      <AlertActions
        alert={alert}
        isClosed={false}
        user={inventedUser()}
        isLost={false}
        state={undefined}
        onAct={jest.fn()}
        onDialog={onDialog}
        initialNow={wardNow}
        timeZone="UTC"
        {...of}
      />
    </HasChatContext>,
  );
  const more = screen.queryByRole('button', { name: /^More about/ });
  if (more === null) {
    return null;
  }
  await userEvent.click(more);
  return screen.queryByRole('menuitem', { name: 'Send to chat …' });
}

beforeEach(() => onDialog.mockClear());

describe('calling the patient', () => {
  const { patient } = alert;
  const atHome = inventedAlert(1, { patient: patient === null ? null : { ...patient, profile: 'home' } });
  const item = () => screen.queryByRole('menuitem', { name: 'Call the patient …' });

  it('is not offered of a patient on the ward who did not ask for it', async () => {
    await openMenu(false);
    expect(item()).toBeNull();
  });

  it('is not offered to users who may not read the chart', async () => {
    await openMenu(false, { alert: atHome, user: inventedUser({ type: 'technician' }) });
    expect(item()).toBeNull();
  });

  it.each([
    ['at home', atHome],
    ['who asked for a call', inventedAlert(1, { parameter: 'callRequest' })],
  ])('is offered of a patient %s, and opens the numbers', async (_, of) => {
    await openMenu(false, { alert: of });
    await userEvent.click(item() ?? document.body);
    expect(onDialog).toHaveBeenLastCalledWith('phone', of);
  });
});

describe('sending an alert to the chat', () => {
  it.each([
    ['without a chat', false, {}],
    ['of an alert that is closed', true, { isClosed: true }],
    ['for users who only read', true, { user: inventedUser({ type: 'viewer' }) }],
  ])('is not offered %s', async (_, hasChat, of) => {
    await expect(openMenu(hasChat, of)).resolves.toBeNull();
  });

  it('is offered in the menu of an alert, and opens its drawer', async () => {
    const item = await openMenu(true);
    expect(item).not.toBeNull();
    await userEvent.click(item ?? document.body);
    expect(onDialog.mock.calls).toEqual([['chat', alert]]);
  });
});

describe('an alert of issue reports', () => {
  const ofUnit = inventedAlert(2, { patientId: null, parameter: 'report', rule: 'report.s1', unitId: 3 });

  it.each([
    [ofUnit, '/reports?severity=S1&unit=3'],
    [{ ...ofUnit, unitId: null }, '/reports?severity=S1'],
  ])('leads to the reports that raised it', async (of, address) => {
    await openMenu(false, { alert: of });
    expect(screen.getByRole('menuitem', { name: 'Open issue reports' }).getAttribute('href')).toBe(address);
  });

  it('is the only one that does', async () => {
    await openMenu(false);
    expect(screen.queryByRole('menuitem', { name: 'Open issue reports' })).toBeNull();
  });
});
