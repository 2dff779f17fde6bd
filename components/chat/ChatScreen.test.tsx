import { render, screen } from '@testing-library/react';
import type { User } from '../../lib/session/schema';
import { axeViolations } from '../../test/axeViolations';
import { inventedUser } from '../../test/inventedWard';
import { ChatScreen } from './ChatScreen';

jest.mock('./ChatPanel', () => ({ ChatPanel: () => 'The chat itself' }));

const show = (user: User, hasChat: boolean) => render(<ChatScreen user={user} hasChat={hasChat} patientId={null} />);

describe('the page of the chat', () => {
  it('shows administrators without a key how to set it up', async () => {
    const { container } = show(inventedUser({ isAdmin: true }), false);
    expect(screen.getByText('STREAM_API_KEY')).toBeTruthy();
    expect(screen.getByText(/written agreement on patient data/)).toBeTruthy();
    await expect(axeViolations(container)).resolves.toEqual([]);
  });

  it('says to all others without a key that chat is not set up', () => {
    show(inventedUser(), false);
    expect(screen.getByText(/^Chat is not set up on this installation\./)).toBeTruthy();
    expect(screen.queryByText('STREAM_API_KEY')).toBeNull();
  });

  it('is not shown on a wall display', () => {
    show(inventedUser({ type: 'display' }), true);
    expect(screen.getByText(/A wall display has no chat/)).toBeTruthy();
  });

  it('is the chat if there is a key', async () => {
    show(inventedUser(), true);
    await expect(screen.findByText('The chat itself')).resolves.toBeTruthy();
  });
});
