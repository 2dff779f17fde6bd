import { tabTitle } from './tabTitle';

const page = 'Patients - Wardlight';
const quiet = { awaited: 0, isNotLive: false, areAlertsStopped: false };

describe('the title of a tab', () => {
  it('is that of its page while no alert waits', () => {
    expect(tabTitle(page, quiet)).toBe(page);
  });

  it.each([
    [{ ...quiet, awaited: 2 }, `(2!) ${page}`],
    [{ ...quiet, awaited: 2, isNotLive: true }, `(NOT LIVE) ${page}`],
    [{ awaited: 2, isNotLive: true, areAlertsStopped: true }, `(ALERTS NOT RUNNING) ${page}`],
  ])('says first what matters more than the page: %j', (news, title) => {
    expect(tabTitle(page, news)).toBe(title);
  });

  it('has one prefix, however often it changes', () => {
    const titles = [{ ...quiet, awaited: 2 }, { ...quiet, awaited: 12 }, { ...quiet, isNotLive: true }, quiet];
    expect(titles.reduce((title, news) => tabTitle(title, news), page)).toBe(page);
    expect(tabTitle(`(2!) ${page}`, { ...quiet, awaited: 3 })).toBe(`(3!) ${page}`);
  });
});
