import type { InferGetServerSidePropsType } from 'next';
import Head from 'next/head';
import { NoAdminAccess } from '../../components/admin/NoAdminAccess';
import { SiteScreen } from '../../components/admin/SiteScreen';
import { AntdTheme } from '../../components/ui/AntdTheme';
import { signedInPage } from '../../store/getPageProps';
import { can } from '../../lib/session/can';

export const getServerSideProps = signedInPage(() => Promise.resolve({ props: {} }));

export default function Site({ user, now }: InferGetServerSidePropsType<typeof getServerSideProps>) {
  return (
    <AntdTheme>
      <Head>
        <title>Site - Wardlight</title>
      </Head>
      {can(user, 'manageSite') ? <SiteScreen user={user} now={now} /> : <NoAdminAccess title="Site" user={user} />}
    </AntdTheme>
  );
}
