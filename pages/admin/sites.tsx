import type { InferGetServerSidePropsType } from 'next';
import Head from 'next/head';
import { NoAdminAccess } from '../../components/admin/NoAdminAccess';
import { SitesScreen } from '../../components/admin/SitesScreen';
import { AntdTheme } from '../../components/ui/AntdTheme';
import { signedInPage } from '../../store/getPageProps';
import { can } from '../../lib/session/can';

export const getServerSideProps = signedInPage(() => Promise.resolve({ props: {} }));

export default function Sites({ user }: InferGetServerSidePropsType<typeof getServerSideProps>) {
  return (
    <AntdTheme>
      <Head>
        <title>Sites - Wardlight</title>
      </Head>
      {can(user, 'addSites') ? (
        <SitesScreen user={user} />
      ) : (
        <NoAdminAccess title="Sites" user={user} isOfInstallation />
      )}
    </AntdTheme>
  );
}
