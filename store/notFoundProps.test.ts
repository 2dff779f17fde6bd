import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { PageContext, PageRequest } from '../lib/api/pageContext';
import { inventedUser, wardNow } from '../test/inventedWard';
import { notFoundProps } from './notFoundProps';

const context: PageContext = {
  user: inventedUser(),
  isLocked: false,
  lastInputAt: wardNow - 1_000,
  sessionEndsAt: wardNow + 3_600_000,
  setupNeeded: false,
  now: wardNow,
  chatKey: 'key',
  insecureTransport: true,
  reportsTo: null,
  reportFault: () => '',
  readPatients: () => Promise.reject(new Error('No patient is read for an unknown address')),
  readOpenAlerts: () => Promise.reject(new Error('No alert is read for an unknown address')),
  readPatient: () => Promise.reject(new Error('No patient is read for an unknown address')),
  readWall: () => Promise.reject(new Error('No wall is read for an unknown address')),
};

function asked(change: Partial<PageContext>, cookie?: string): PageRequest {
  const request: PageRequest = Object.assign(new IncomingMessage(new Socket()), {
    wardlight: { ...context, ...change },
  });
  request.headers.cookie = cookie;
  return request;
}

describe('the page of an unknown address', () => {
  it.each<[string, Partial<PageContext>]>([
    ['no session', { user: null }],
    ['a locked session', { isLocked: true }],
  ])('has no shell for a browser with %s', (_, change) => {
    expect(notFoundProps(asked(change, 'sidebar=open'))).toBeNull();
  });

  it('has no shell if Next runs without the server', () => {
    expect(notFoundProps(new IncomingMessage(new Socket()))).toBeNull();
  });

  it.each([
    [undefined, true],
    ['theme=dark', true],
    ['sidebar=collapsed', true],
    ['my-sidebar=open', true],
    ['sidebar=open', false],
    ['a=b; sidebar=open; token=one', false],
  ])('has the shell of a signed-in user, with the sidebar of the cookies %j', (cookie, collapsed) => {
    const { initialState, ...props } = notFoundProps(asked({}, cookie)) ?? {};
    expect(props).toEqual({
      user: inventedUser(),
      now: wardNow,
      insecureTransport: true,
      lastInputAt: wardNow - 1_000,
      sessionEndsAt: wardNow + 3_600_000,
      chatKey: 'key',
    });
    expect(initialState?.layout).toEqual({ collapsed });
  });
});
