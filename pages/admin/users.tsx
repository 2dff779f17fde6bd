import type { InferGetServerSidePropsType } from 'next';
import Head from 'next/head';
import { NoAdminAccess } from '../../components/admin/NoAdminAccess';
import { UsersScreen } from '../../components/admin/UsersScreen';
import { AntdTheme } from '../../components/ui/AntdTheme';
import { signedInPage } from '../../store/getPageProps';
import { can } from '../../lib/session/can';

export const getServerSideProps = signedInPage(() => Promise.resolve({ props: {} }));

export default function Users({ user, now }: InferGetServerSidePropsType<typeof getServerSideProps>) {
  return (
    <AntdTheme>
      <Head>
        <title>Users - Wardlight</title>
      </Head>
      {can(user, 'manageUsers') ? <UsersScreen user={user} now={now} /> : <NoAdminAccess title="Users" user={user} />}
    </AntdTheme>
  );
}
