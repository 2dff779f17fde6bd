import type { InferGetServerSidePropsType } from 'next';
import Head from 'next/head';
import { MappingsScreen } from '../../components/admin/MappingsScreen';
import { NoAdminAccess } from '../../components/admin/NoAdminAccess';
import { AntdTheme } from '../../components/ui/AntdTheme';
import { signedInPage } from '../../store/getPageProps';
import { can } from '../../lib/session/can';

export const getServerSideProps = signedInPage(() => Promise.resolve({ props: {} }));

export default function Mappings({ user }: InferGetServerSidePropsType<typeof getServerSideProps>) {
  return (
    <AntdTheme>
      <Head>
        <title>Mappings - Wardlight</title>
      </Head>
      {can(user, 'readMappings') ? <MappingsScreen user={user} /> : <NoAdminAccess title="Mappings" user={user} />}
    </AntdTheme>
  );
}
