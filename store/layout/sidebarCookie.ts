import Cookies from 'js-cookie';

/** `collapsed` of the layout, kept so that the server renders the sidebar as its user left it. */
export const sidebarCookie = 'sidebar';

/** Returns whether the sidebar is folded by the cookie's value, or null if the value says nothing. */
export function parseSidebar(value: string | undefined): boolean | null {
  return value === 'open' ? false : value === 'collapsed' ? true : null;
}

/** Returns the cookie's value out of a request's `Cookie` header. */
export function sidebarOf(header: string | undefined): string | undefined {
  return header
    ?.split(/; */)
    .find((pair) => pair.startsWith(`${sidebarCookie}=`))
    ?.slice(sidebarCookie.length + 1);
}

/** Reads the page's own cookie. */
export function readSidebar(): boolean | null {
  return parseSidebar(Cookies.get(sidebarCookie));
}

/** Writes the page's own cookie, for a year. */
export function writeSidebar(collapsed: boolean): void {
  Cookies.set(sidebarCookie, collapsed ? 'collapsed' : 'open', {
    expires: 365,
    sameSite: 'lax',
    secure: location.protocol === 'https:',
  });
}
