import { parseSidebar } from './sidebarCookie';

describe('the sidebar cookie', () => {
  it.each([[undefined], [''], ['true'], ['OPEN'], ['open;'], ['__proto__']])(
    'says nothing when it holds %j',
    (value) => {
      expect(parseSidebar(value)).toBeNull();
    },
  );

  it.each([
    ['open', false],
    ['collapsed', true],
  ])('%s means collapsed %s', (value, collapsed) => {
    expect(parseSidebar(value)).toBe(collapsed);
  });
});
