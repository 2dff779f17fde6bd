import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { ApiFailure } from '../../lib/browser/client';
import { callMock, setCalls } from '../../test/calls';
import { inventedAlert } from '../../test/inventedAlert';
import { AlertDrawer } from './AlertDrawer';

jest.mock('../../hooks/useCall');

const rejectAlert = callMock<'rejectAlert'>();

describe('the drawer of an act on an alert', () => {
  it('acts on the alert that its user saw, and on a newer one only after a refusal has named it', async () => {
    setCalls({ rejectAlert });
    const newer = inventedAlert(1, { version: 4 });
    const drawer = (version: number) => (
      <AlertDrawer is="reject" alert={inventedAlert(1, { version })} opened={3} onClose={onClose} />
    );
    const onClose = jest.fn();
    const { rerender } = render(drawer(3));
    await userEvent.type(screen.getByLabelText(/^Why/), 'In theatre');
    rerender(drawer(4));
    rejectAlert.mockRejectedValueOnce(
      new ApiFailure('alert_changed', 'This alert has changed. Nia Demo took it.', {
        status: 409,
        conflict: { alert: newer, lastAct: null },
      }),
    );
    const press = () => userEvent.click(screen.getByRole('button', { name: 'I can’t come' }));
    await press();
    await expect(screen.findByText('Not sent. This alert has changed. Nia Demo took it.')).resolves.toBeTruthy();
    expect(rejectAlert).toHaveBeenLastCalledWith({ params: { id: 1 }, body: { reason: 'In theatre', version: 3 } });
    rejectAlert.mockResolvedValueOnce(newer);
    await press();
    await waitFor(() => expect(onClose).toHaveBeenCalledTimes(1));
    expect(rejectAlert).toHaveBeenLastCalledWith({ params: { id: 1 }, body: { reason: 'In theatre', version: 4 } });
  });
});
