import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { StreamChat } from 'stream-chat';
import { useChat } from '../../hooks/useChat';
import { inventedUser } from '../../test/inventedWard';
import { ChatPanel } from './ChatPanel';

jest.mock('../../hooks/useChat');
const mockLoad = jest.fn<object, []>();
jest.mock('./ChatRoom', () => mockLoad());

it('says that the code of the chat could not be downloaded, and tries again on request', async () => {
  mockLoad
    .mockImplementationOnce(() => {
      throw new Error('ChunkLoadError');
    })
    .mockReturnValue({ ChatRoom: () => 'The channels' });
  const client: Partial<StreamChat> = {};
  jest
    .mocked(useChat)
    .mockReturnValue({ status: 'connected', client: client as StreamChat, unread: 0, retry: () => undefined });
  render(<ChatPanel user={inventedUser()} layout="wide" />);
  await expect(screen.findByText('Chat could not be loaded')).resolves.toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await expect(screen.findByText('The channels')).resolves.toBeTruthy();
});
