import Head from 'next/head';
import type { ComponentType } from 'react';
import { can } from '../../lib/session/can';
import type { Permission } from '../../lib/session/permissions';
import type { User } from '../../lib/session/schema';
import { AntdTheme } from './AntdTheme';

/** What every screen gets from its page. */
export interface ScreenProps {
  user: User;
  /** The server's time when the page was made, epoch milliseconds. */
  now: number;
}

/** Returns a page with its theme: its screen for users with a permission, for others who may see it. */
export function screenPage(
  title: string,
  permission: Permission,
  Screen: ComponentType<ScreenProps>,
  Refusal: ComponentType<{ title: string; user: User }>,
): ComponentType<ScreenProps> {
  return function ScreenPage({ user, now }) {
    return (
      <AntdTheme>
        <Head>
          <title>{`${title} - Wardlight`}</title>
        </Head>
        {can(user, permission) ? <Screen user={user} now={now} /> : <Refusal title={title} user={user} />}
      </AntdTheme>
    );
  };
}
