import type { InferGetServerSidePropsType } from 'next';
import Head from 'next/head';
import { NoAdminAccess } from '../../components/admin/NoAdminAccess';
import { UnitsScreen } from '../../components/admin/UnitsScreen';
import { AntdTheme } from '../../components/ui/AntdTheme';
import { signedInPage } from '../../store/getPageProps';
import { can } from '../../lib/session/can';

export const getServerSideProps = signedInPage(() => Promise.resolve({ props: {} }));

export default function Units({ user }: InferGetServerSidePropsType<typeof getServerSideProps>) {
  return (
    <AntdTheme>
      <Head>
        <title>Units - Wardlight</title>
      </Head>
      {can(user, 'manageSite') ? <UnitsScreen user={user} /> : <NoAdminAccess title="Units" user={user} />}
    </AntdTheme>
  );
}
