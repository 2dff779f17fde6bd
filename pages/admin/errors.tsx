import type { InferGetServerSidePropsType } from 'next';
import Head from 'next/head';
import { ErrorsScreen } from '../../components/admin/ErrorsScreen';
import { NoAdminAccess } from '../../components/admin/NoAdminAccess';
import { AntdTheme } from '../../components/ui/AntdTheme';
import { signedInPage } from '../../store/getPageProps';
import { can } from '../../lib/session/can';

export const getServerSideProps = signedInPage(() => Promise.resolve({ props: {} }));

export default function Errors({ user }: InferGetServerSidePropsType<typeof getServerSideProps>) {
  return (
    <AntdTheme>
      <Head>
        <title>Errors - Wardlight</title>
      </Head>
      {can(user, 'manageSite') ? <ErrorsScreen user={user} /> : <NoAdminAccess title="Errors" user={user} />}
    </AntdTheme>
  );
}
