import type { InferGetServerSidePropsType } from 'next';
import Head from 'next/head';
import { InterfacesScreen } from '../../components/admin/InterfacesScreen';
import { NoAdminAccess } from '../../components/admin/NoAdminAccess';
import { AntdTheme } from '../../components/ui/AntdTheme';
import { signedInPage } from '../../store/getPageProps';
import { can } from '../../lib/session/can';

export const getServerSideProps = signedInPage(() => Promise.resolve({ props: {} }));

export default function Interfaces({ user, now }: InferGetServerSidePropsType<typeof getServerSideProps>) {
  return (
    <AntdTheme>
      <Head>
        <title>Interfaces - Wardlight</title>
      </Head>
      {can(user, 'readMessages') ? (
        <InterfacesScreen user={user} now={now} />
      ) : (
        <NoAdminAccess title="Interfaces" user={user} />
      )}
    </AntdTheme>
  );
}
