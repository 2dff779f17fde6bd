import { act, render } from '@testing-library/react';
import { Banners, bannersScript } from './Banners';

const height = (): string => document.documentElement.style.getPropertyValue('--wl-banners-height');

/** Runs the script as the browser does while it reads the head of the next page. */
function openPage(): void {
  document.documentElement.removeAttribute('style');
  const script = document.createElement('script');
  script.textContent = bannersScript;
  document.head.append(script);
}

beforeEach(() => {
  localStorage.clear();
  window.innerWidth = 1280;
});

describe('the height of the banners before they are measured', () => {
  it('is that of the style sheet on the first page, in a window of another size, and if it is not a height', () => {
    openPage();
    expect(height()).toBe('');
    for (const kept of ['1024x768 92px', '1280x768', '1280x768 92px;color:red', '1280x768 calc(1px)', '</script>']) {
      localStorage.setItem('bannersHeight', kept);
      openPage();
      expect(height()).toBe('');
    }
  });

  it('is what it was on the page before', () => {
    let measure = (): void => undefined;
    jest.spyOn(window, 'ResizeObserver').mockImplementation((measured) => {
      const observer = { observe: () => undefined, unobserve: () => undefined, disconnect: () => undefined };
      measure = () => measured([], observer);
      return observer;
    });
    jest.spyOn(Element.prototype, 'getBoundingClientRect').mockReturnValue(DOMRect.fromRect({ height: 91.5 }));
    const { unmount } = render(<Banners>Demo data</Banners>);
    act(() => measure());
    expect(height()).toBe('92px');
    unmount();
    expect(height()).toBe('');
    openPage();
    expect(height()).toBe('92px');
  });
});
