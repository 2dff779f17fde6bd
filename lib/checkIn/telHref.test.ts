import { telHref } from './telHref';

describe('a link that dials', () => {
  it.each(['112 or 999', 'the ward', '', '1', '112, 999', 'tel:112'])('is not made of "%s"', (text) => {
    expect(telHref(text)).toBeNull();
  });

  it.each([
    ['112', 'tel:112'],
    ['+44 (0)20 7946-0958', 'tel:+442079460958'],
    ['*112#', 'tel:*112#'],
  ])('is made of "%s"', (number, href) => {
    expect(telHref(number)).toBe(href);
  });
});
