import type { InferGetServerSidePropsType } from 'next';
import Head from 'next/head';
import { DevicesScreen } from '../../components/admin/DevicesScreen';
import { NoAdminAccess } from '../../components/admin/NoAdminAccess';
import { AntdTheme } from '../../components/ui/AntdTheme';
import { signedInPage } from '../../store/getPageProps';
import { can } from '../../lib/session/can';

export const getServerSideProps = signedInPage(() => Promise.resolve({ props: {} }));

export default function Devices({ user, now }: InferGetServerSidePropsType<typeof getServerSideProps>) {
  return (
    <AntdTheme>
      <Head>
        <title>Devices - Wardlight</title>
      </Head>
      {can(user, 'readDevices') ? (
        <DevicesScreen user={user} now={now} />
      ) : (
        <NoAdminAccess title="Devices" user={user} />
      )}
    </AntdTheme>
  );
}
