import { act, render } from '@testing-library/react';
import { Joyride, type Options } from 'react-joyride';
import { tourSteps } from '../../lib/tour/tourSteps';
import { inventedUser } from '../../test/inventedWard';
import { TourEngine } from './TourEngine';

jest.mock('react-joyride', () => ({ ...jest.requireActual<object>('react-joyride'), Joyride: jest.fn(() => null) }));

const nothing = (): void => undefined;

class NeverObserves implements ResizeObserver {
  observe = nothing;
  unobserve = nothing;
  disconnect = nothing;
}

/** Returns what the engine gets to show a step. */
function optionsOf(index: number): Partial<Options> | undefined {
  render(
    <TourEngine
      steps={tourSteps(inventedUser({ id: 1 }))}
      index={index}
      onFound={nothing}
      onPlaced={nothing}
      onHidden={nothing}
      onMissing={nothing}
      onOver={nothing}
    />,
  );
  return jest.mocked(Joyride).mock.lastCall?.[0].options;
}

it('is 400 wide, and its welcome 360', () => {
  expect([0, 1, 9].map((index) => optionsOf(index)?.width)).toEqual([360, 400, 400]);
});

it('scrolls within 300 ms to 20 px above a target, which has 10 px of light around it', () => {
  expect(optionsOf(1)).toMatchObject({ scrollOffset: 20, scrollDuration: 300, spotlightPadding: 10 });
});

it('scrolls at once for users who want no motion', () => {
  jest.spyOn(window, 'matchMedia').mockImplementation((media) => ({ media, matches: true }) as MediaQueryList);
  expect(optionsOf(1)).toMatchObject({ scrollOffset: 20, scrollDuration: 1 });
});

it('makes room for a banner that comes meanwhile', () => {
  const { style } = document.documentElement;
  let resize: () => void = () => undefined;
  jest.spyOn(window, 'ResizeObserver').mockImplementation((measured) => {
    resize = () => measured([], new NeverObserves());
    return new NeverObserves();
  });
  document.body.innerHTML = '<div><div id="tour-bar"></div></div>';
  style.setProperty('--wl-banners-height', '104px');
  optionsOf(1);
  style.setProperty('--wl-banners-height', '150px');
  act(() => resize());
  const { floatingOptions } = jest.mocked(Joyride).mock.lastCall?.[0] ?? {};
  expect(floatingOptions?.shiftOptions).toMatchObject({ padding: { top: 160 } });
  style.removeProperty('--wl-banners-height');
});
