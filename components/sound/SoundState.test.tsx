import { render, screen } from '@testing-library/react';
import { useNow } from '../../hooks/useNow';
import { useSound, type ShownSound } from '../../hooks/SoundProvider';
import { SoundState } from './SoundState';

jest.mock('../../hooks/SoundProvider');
jest.mock('../../hooks/useNow');
jest.mock('../../hooks/useSpeaker', () => ({ useSpeaker: () => ({ switchOn: jest.fn() }) }));

const now = Date.parse('2026-03-07T15:00:00Z');
const pause = { until: '2026-03-07T15:01:56Z', by: 'N. Demo' };

function show(sound: Partial<ShownSound>): HTMLElement | null {
  jest.mocked(useNow).mockReturnValue(now);
  jest.mocked(useSound).mockReturnValue({ isNeeded: true, isOn: true, pause: null, ...sound });
  render(<SoundState userId={1} initialNow={now} />);
  return screen.queryByRole('button');
}

describe('the sound button', () => {
  it('says for how long somebody has paused the sound, filled, and once who', () => {
    const button = show({ pause });
    expect([button?.textContent, button?.className, button?.title]).toEqual([
      'Sound paused 1:56',
      'off',
      'Sound paused by N. Demo',
    ]);
    expect(screen.getByRole('status').textContent).toBe('Sound paused by N. Demo');
  });

  it('says so to those whom no alert asks as well, with nothing to press', () => {
    const button = show({ isNeeded: false, isOn: false, pause });
    expect([button?.textContent, button?.hasAttribute('disabled')]).toEqual(['Sound paused 1:56', true]);
  });

  it.each<[string, Partial<ShownSound>, string | undefined]>([
    ['a screen that cannot sound at all', { isOn: false, pause }, 'NO SOUND'],
    ['a pause that is over', { pause: { ...pause, until: '2026-03-07T15:00:00Z' } }, 'Sound on'],
    ['no alerts for this user', { isNeeded: false }, undefined],
  ])('says of %s what it is', (_, sound, text) => {
    expect(show(sound)?.textContent).toBe(text);
  });
});
