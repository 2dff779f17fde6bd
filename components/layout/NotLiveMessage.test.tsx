import { act, screen } from '@testing-library/react';
import { useServerLost } from '../../hooks/useServerLost';
import { usePatient } from '../../hooks/usePatient';
import { expectConsole } from '../../test/expectConsole';
import { answerStatus, lose, pass } from '../../test/network';
import { showScreen } from '../../test/showScreen';
import { signInPage } from '../../test/signInPage';
import { NotLiveMessage } from './NotLiveMessage';

/** A page that polls. */
function Page({ id }: { id: number }) {
  usePatient(id);
  return <NotLiveMessage serverLost={useServerLost()} timeZone="Europe/London" />;
}

/** A page that was answered at 15:00:00, and what it says when every later call ends as `fail` makes it. */
async function show(fail: () => void): Promise<string | null> {
  const { server, siteId, user } = await signInPage('nurse');
  await showScreen(<Page id={await server.addPatient(siteId)} />, { user });
  expectConsole('error');
  fail();
  await act(() => pass(15_000));
  return screen.getByRole('alert').textContent;
}
const status = (code: number, text?: string) => () => void answerStatus(null, code, text);
const refusal = JSON.stringify({ error: { code: 'forbidden', message: 'No.' } });
const fault = JSON.stringify({ error: { code: 'internal', message: 'A fault.' } });

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

describe('NotLiveMessage', () => {
  it.each([
    ['unreachable', () => void lose(), 'The server cannot be reached.', 0],
    ['refused', status(403, refusal), 'The server refused access.', 1],
    ['throttled', status(429), 'Too many requests.', 0],
    ['failed', status(500, fault), 'The server reported an error.', 1],
    ['unreadable', status(200, '<html>'), 'The server’s response could not be read.', 1],
  ])('says in one message since when nothing is live, and what to do (%s)', async (_, fail, words, links) => {
    const text = await show(fail);
    expect(text).toContain('NOT LIVE since 15:00:00 - last data shown. Look at the patient and the bedside monitor.');
    expect(screen.getByTitle(words)).toBeTruthy();
    expect(screen.queryAllByRole('link', { name: 'Sign in again' })).toHaveLength(links);
  });

  it('says nothing while the server answers', async () => {
    await expect(show(() => undefined)).resolves.toBe('');
  });
});
