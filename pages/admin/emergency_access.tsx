import type { InferGetServerSidePropsType } from 'next';
import Head from 'next/head';
import { EmergencyAccessScreen } from '../../components/admin/EmergencyAccessScreen';
import { NoAdminAccess } from '../../components/admin/NoAdminAccess';
import { AntdTheme } from '../../components/ui/AntdTheme';
import { signedInPage } from '../../store/getPageProps';
import { can } from '../../lib/session/can';

export const getServerSideProps = signedInPage(() => Promise.resolve({ props: {} }));

export default function EmergencyAccess({ user, now }: InferGetServerSidePropsType<typeof getServerSideProps>) {
  return (
    <AntdTheme>
      <Head>
        <title>Emergency access - Wardlight</title>
      </Head>
      {can(user, 'manageUsers') ? (
        <EmergencyAccessScreen user={user} now={now} />
      ) : (
        <NoAdminAccess title="Emergency access" user={user} />
      )}
    </AntdTheme>
  );
}
